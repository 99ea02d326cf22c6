import type { RpcTransaction } from '../../node/messages/records.js'
import type { Call } from '../queries/call.js'

/** The transactions of the mempool that spend outputs of some addresses. Rejects with `ChainRpcError`. */
export async function fetchSpending(addresses: readonly string[], call: Call): Promise<readonly RpcTransaction[]> {
  const { entries } = await call('getMempoolEntriesByAddresses', {
    addresses: [...addresses],
    includeOrphanPool: false,
    filterTransactionPool: false, // true returns only orphans
  })
  return entries.flatMap(({ sending }) => sending.map(({ transaction }) => transaction))
}
