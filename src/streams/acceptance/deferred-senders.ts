import { defer, switchMap } from 'rxjs'
import { onceLoaded } from '../../loading/once-loaded.js'
import { partFor } from '../../loading/part-for.js'
import type { Senders, SendersDeps } from './senders.js'

/** Who paid, for those who ask: what reads it from the chain is fetched with the first question. */
export function deferSenders(deps: SendersDeps): Senders {
  const load = onceLoaded(async () => (await import('./senders.js')).createSenders(deps))
  return {
    senders$: (hash, transactionIds) =>
      defer(() => partFor('resolveSenderAddresses', load)).pipe(
        switchMap(({ senders$ }) => senders$(hash, transactionIds)),
      ),
  }
}
