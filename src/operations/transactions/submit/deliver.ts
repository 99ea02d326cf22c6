import type { Transaction } from '../../../model/transaction.js'
import type { Call } from '../../queries/call.js'

/** Hands a transaction to the node and resolves to the id that the node gives it. Rejects with `ChainRpcError`. */
export type Deliver = (transaction: Transaction) => Promise<string>

/** To the mempool; `replaces` names the one whose place it takes, without which the node then refuses. */
export const createDeliver =
  (call: Call, replaces: string | undefined): Deliver =>
  async (transaction) => {
    const { transactionId } =
      replaces === undefined
        ? await call('submitTransaction', { transaction, allowOrphan: false })
        : await call('submitTransactionReplacement', { transaction })
    return transactionId
  }
