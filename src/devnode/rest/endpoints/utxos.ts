import type { UtxoEntry } from '../../../model/utxo.js'
import { addressInPath, checkAddress, isOfNetwork, sampleAddresses } from '../address.js'
import { byUtxoCount } from '../cache-ages.js'
import { ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { addressesBody } from './addresses.js'

/** The server lists no more outputs of an address, and says so by listing none. */
const MOST_LISTED = 10_000

/** Unspent outputs, as the node has them. */
export const utxoRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/utxos', {
    inPath: addressInPath,
    strict: true,
    answer({ path }, indexer) {
      const entries = entriesOf(indexer, checkAddress(path.kaspaAddress))
      return entries.length > MOST_LISTED ? ok([], 60) : ok(entries.map(toUtxo), byUtxoCount(entries.length))
    },
  }),

  post('/addresses/utxos', {
    body: addressesBody,
    strict: true,
    answer({ body }, indexer) {
      const asked = new Set((body.addresses ?? sampleAddresses(indexer)).map((address) => check(indexer, address)))
      const lists = [...asked].map((address) => entriesOf(indexer, address))
      return ok(lists.filter(({ length }) => length <= MOST_LISTED).flatMap((entries) => entries.map(toUtxo)))
    },
  }),

  get('/addresses/{kaspaAddress}/utxos/count', {
    inPath: addressInPath,
    strict: true,
    answer({ path }, indexer) {
      const count = entriesOf(indexer, checkAddress(path.kaspaAddress)).length
      return ok({ count }, byUtxoCount(count))
    },
  }),
]

const entriesOf = (indexer: Indexer, address: string): readonly UtxoEntry[] =>
  indexer.ask('getUtxosByAddresses', { addresses: [address] }).entries

/** Here, other than elsewhere, an address of another network is refused. */
function check(indexer: Indexer, address: string): string {
  if (!isOfNetwork(indexer, address)) throw refuse(400, `Invalid address: ${address}`)
  return checkAddress(address)
}

/** The version of the script is left out, and its name is odd. */
const toUtxo = ({ address, outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase }: UtxoEntry) => ({
  address,
  outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
  utxoEntry: {
    amount: String(amount),
    scriptPublicKey: { scriptPublicKey: scriptPublicKey.script },
    blockDaaScore: String(blockDaaScore),
    isCoinbase,
  },
})
