import { defineAsyncComponent, defineComponent, h, type DefineSetupFnComponent } from 'vue'
import { loadCode } from '../../../../loading/load-code.js'

/** Props of `<QrCode>`. */
export interface QrCodeProps {
  /** What a scanner reads, such as a payment URI. */
  readonly text: string
  /** The text alternative of the image. */
  readonly label: string
}

const LazyQrCode = /*#__PURE__*/ defineAsyncComponent(() =>
  loadCode(() => import('./QrCode.js')).then((module) => module.QrCode),
)

/**
 * A QR code: one path, black on white in any colour scheme, level M (L above 2,331 bytes), with a quiet zone of four
 * modules. Its code is loaded where one is shown; a server waits for it.
 */
export const QrCode: DefineSetupFnComponent<QrCodeProps> = /*#__PURE__*/ defineComponent(
  (props: QrCodeProps) => () => h(LazyQrCode, props),
  { name: 'LazyQrCode', props: ['text', 'label'] },
)
