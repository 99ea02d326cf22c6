import type { Transaction } from '../../../model/transaction.js'
import type { Call } from '../../queries/call.js'

/** Submits a transaction and resolves to the id that the node returns. Rejects with `ChainRpcError`. */
export type SubmitToNode = (transaction: Transaction) => Promise<string>

/** With `replaces` it submits a replacement, which the node rejects where no mempool transaction is replaced. */
export const createSubmitToNode =
  (call: Call, replaces: string | undefined): SubmitToNode =>
  async (transaction) => {
    const { transactionId } =
      replaces === undefined
        ? await call('submitTransaction', { transaction, allowOrphan: false })
        : await call('submitTransactionReplacement', { transaction })
    return transactionId
  }
