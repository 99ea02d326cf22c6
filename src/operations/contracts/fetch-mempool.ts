import { transactionId } from '../../model/transaction-id.js'
import type { RpcTransaction } from '../../node/messages/records.js'
import type { Call } from '../queries/call.js'

/**
 * The transactions of the mempool that spend or pay outputs of some addresses, by their ids. Rejects with
 * `ChainRpcError`.
 */
export async function fetchMempool(
  addresses: readonly string[],
  call: Call,
): Promise<ReadonlyMap<string, RpcTransaction>> {
  const { entries } = await call('getMempoolEntriesByAddresses', {
    addresses: [...addresses],
    includeOrphanPool: false,
    filterTransactionPool: false, // true returns only orphans
  })
  const listed = entries.flatMap(({ sending, receiving }) => [...sending, ...receiving])
  return new Map(listed.map(({ transaction }) => [transactionId(transaction), transaction]))
}
