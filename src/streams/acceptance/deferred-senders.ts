import { switchMap } from 'rxjs'
import { lazyModule } from '../../loading/lazy-methods.js'
import type { Senders, SendersDeps } from './senders.js'

/** Sender resolution whose implementation is loaded with the first request. */
export function deferSenders(deps: SendersDeps): Senders {
  let senders: Senders | undefined
  return {
    senders$: (hash, transactionIds) =>
      sendersModule.module$.pipe(
        switchMap(({ createSenders }) => (senders ??= createSenders(deps)).senders$(hash, transactionIds)),
      ),
  }
}

export const sendersModule = /*#__PURE__*/ lazyModule(() => import('./senders.js'))
