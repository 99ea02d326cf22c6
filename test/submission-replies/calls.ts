import type { Transaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { TestClient } from '../contract/node/support/client.js'

/** Submits; `taken`, or the words of the node. */
export async function replyOf(
  client: TestClient,
  transaction: Transaction,
  how: 'plain' | 'replacement' = 'plain',
): Promise<string> {
  try {
    if (how === 'plain') await client.call('submitTransaction', { transaction, allowOrphan: false })
    else await client.call('submitTransactionReplacement', { transaction })
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}

export const utxosOf = async (client: TestClient, address: string): Promise<readonly UtxoEntry[]> =>
  (await client.call('getUtxosByAddresses', { addresses: [address] })).entries
