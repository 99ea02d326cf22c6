import { feature } from '../../../engine/feature.js'
import { transactions } from '../../../engine/features/transactions.js'
import type { TransactionOperations } from '../../../operations/transactions/transactions.js'
import { useCore } from '../plugin/core.js'

export type UseTransactionReturn = Pick<TransactionOperations, 'estimate' | 'create' | 'send'>

/**
 * Payments: what they would cost, made ready to sign, or sent. All three leave coins aside that are unripe, bound by a
 * covenant, or taken by a payment under way. They reject with `ChainNotReadyError` before the WASM module is ready.
 */
export function useTransaction(): UseTransactionReturn {
  const core = useCore('useTransaction')
  const { estimate, create, send } = feature(core, transactions)
  const whenReady =
    <Arguments extends readonly unknown[], Result>(name: string, operation: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      core.wasm.sdk(name) // throws unless it is ready
      return operation(...given)
    }
  return {
    estimate: whenReady('estimate', estimate),
    create: whenReady('create', create),
    send: whenReady('send', send),
  }
}
