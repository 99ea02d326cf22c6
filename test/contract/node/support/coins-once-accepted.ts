import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { NodeUnderTest } from './node-under-test.js'

/** Mines until the address holds outputs of each of these transactions; resolves to all that it then holds. */
export async function coinsOnceAccepted(
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
  throw new Error(`Twenty blocks went by without ${transactionIds.join(', ')}`)
}
