import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { TestClient } from './client.js'

/** Reads of the index until it counts as complete. */
const MAX_READS = 500

/**
 * The UTXOs of some addresses, once there are `count`. The UTXO index of a node lags behind its blocks by some
 * milliseconds, so a read right after a block may miss it.
 */
export async function indexedUtxos(
  client: TestClient,
  addresses: readonly string[],
  count = 1,
): Promise<readonly UtxoEntry[]> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { entries } = await client.call('getUtxosByAddresses', { addresses: [...addresses] })
    if (entries.length >= count) return entries
  }
  throw new Error(`The UTXO index has less than ${String(count)} UTXOs of ${addresses.join(', ')}`)
}
