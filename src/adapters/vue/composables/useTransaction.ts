import { feature } from '../../../engine/feature.js'
import { transactions } from '../../../engine/features/transactions.js'
import type { TransactionOperations } from '../../../operations/transactions/transactions.js'
import { useCore } from '../plugin/core.js'

export type UseTransactionReturn = Pick<
  TransactionOperations,
  'estimate' | 'create' | 'send' | 'sweep' | 'consolidate' | 'cancel'
>

/**
 * Estimates, creates, sends and cancels payments, sweeps and consolidates. Excludes UTXOs that are immature, bound by a covenant, or reserved by a pending
 * payment. Rejects with `ChainNotReadyError` before the WASM module is ready.
 */
export function useTransaction(): UseTransactionReturn {
  const core = useCore('useTransaction')
  const { estimate, create, send, sweep, consolidate, cancel } = feature(core, transactions)
  const whenReady =
    <Arguments extends readonly unknown[], Result>(name: string, operation: (...given: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      core.wasm.sdk(name) // throws unless it is ready
      return operation(...args)
    }
  return {
    estimate: whenReady('estimate', estimate),
    create: whenReady('create', create),
    send: whenReady('send', send),
    sweep: whenReady('sweep', sweep),
    consolidate: whenReady('consolidate', consolidate),
    cancel: whenReady('cancel', cancel),
  }
}
