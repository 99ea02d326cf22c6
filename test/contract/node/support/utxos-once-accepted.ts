import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { NodeUnderTest } from './node-under-test.js'

/** Mines until the address has outputs of each transaction; resolves to all UTXOs of the address. */
export async function utxosOnceAccepted(
  node: NodeUnderTest,
  address: string,
  transactionIds: readonly string[],
): Promise<readonly UtxoEntry[]> {
  for (let blocks = 0; blocks < 20; blocks++) {
    await node.mine()
    const { entries } = await node.client.call('getUtxosByAddresses', { addresses: [address] })
    const made = new Set(entries.map(({ outpoint }) => outpoint.transactionId))
    if (transactionIds.every((id) => made.has(id))) return entries
  }
  throw new Error(`Twenty blocks do not accept ${transactionIds.join(', ')}`)
}
