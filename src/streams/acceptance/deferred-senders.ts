import { defer, switchMap } from 'rxjs'
import { onceLoaded } from '../../loading/once-loaded.js'
import { loadForMethod } from '../../loading/load-for-method.js'
import type { Senders, SendersDeps } from './senders.js'

/** Sender resolution whose implementation is loaded with the first request. */
export function deferSenders(deps: SendersDeps): Senders {
  const load = onceLoaded(async () => (await import('./senders.js')).createSenders(deps))
  return {
    senders$: (hash, transactionIds) =>
      defer(() => loadForMethod('resolveSenderAddresses', load)).pipe(
        switchMap(({ senders$ }) => senders$(hash, transactionIds)),
      ),
  }
}
