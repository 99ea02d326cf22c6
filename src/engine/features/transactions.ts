import { engineDisposed } from '../../errors/engine-disposed.js'
import type { TransactionOperations } from '../../operations/transactions/transactions.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { recordPayment } from '../record-payment.js'
import { loadCode } from '../../loading/load-code.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { preloadWithKeys } from '../preload.js'

/** The payments of `openTransactions`, whose code is loaded when keys are ready, or with the first call. */
export function transactions(core: ChainCore): TransactionOperations {
  const parts = partsOf(core)
  const load = onceLoaded(async () => {
    const { openTransactions } = await loadCode(() => import('../open-transactions.js'))
    return openTransactions(parts)
  })
  preloadWithKeys(parts, () => loadCode(() => import('../open-transactions.js')))
  const operations = async (): Promise<TransactionOperations> => {
    if (parts.lifetime.closed) throw engineDisposed()
    return load()
  }
  return {
    estimate: async (settings, options) => (await operations()).estimate(settings, options),
    create: async (settings, options) => (await operations()).create(settings, options),
    send: (settings, options) => recordPayment(parts, async () => (await operations()).send(settings, options)),
    sweep: (settings, options) => recordPayment(parts, async () => (await operations()).sweep(settings, options)),
    consolidate: (settings, options) =>
      recordPayment(parts, async () => (await operations()).consolidate(settings, options)),
    cancel: (id, settings, options) =>
      recordPayment(parts, async () => (await operations()).cancel(id, settings, options)),
    restore: async (serialized, options) => (await operations()).restore(serialized, options),
  }
}
