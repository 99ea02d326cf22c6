import { defineAsyncComponent } from 'vue'
import { loadCode } from '../../../../loading/load-code.js'

/** Loaded where a code is shown; a server waits for it. */
export const LazyQrCode = /*#__PURE__*/ defineAsyncComponent(() =>
  loadCode(() => import('./QrCode.js')).then((module) => module.QrCode),
)
