import type { UtxoEntry } from '../../../model/utxo.js'
import { addressParam, checkAddress, isOfNetwork, sampleAddresses } from '../address.js'
import { byUtxoCount } from '../cache-ages.js'
import { ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { addressesBody } from './addresses.js'

/** The server returns an empty list for an address with more outputs. */
const MAX_LISTED = 10_000

/** UTXOs by address. */
export const utxoRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/utxos', {
    pathParams: addressParam,
    strict: true,
    handle({ path }, indexer) {
      const entries = entriesOf(indexer, checkAddress(path.kaspaAddress))
      return entries.length > MAX_LISTED ? ok([], 60) : ok(entries.map(toUtxo), byUtxoCount(entries.length))
    },
  }),

  post('/addresses/utxos', {
    body: addressesBody,
    strict: true,
    handle({ body }, indexer) {
      const requested = new Set((body.addresses ?? sampleAddresses(indexer)).map((address) => check(indexer, address)))
      const lists = [...requested].map((address) => entriesOf(indexer, address))
      return ok(lists.filter(({ length }) => length <= MAX_LISTED).flatMap((entries) => entries.map(toUtxo)))
    },
  }),

  get('/addresses/{kaspaAddress}/utxos/count', {
    pathParams: addressParam,
    strict: true,
    handle({ path }, indexer) {
      const count = entriesOf(indexer, checkAddress(path.kaspaAddress)).length
      return ok({ count }, byUtxoCount(count))
    },
  }),
]

const entriesOf = (indexer: Indexer, address: string): readonly UtxoEntry[] =>
  indexer.call('getUtxosByAddresses', { addresses: [address] }).entries

/** Unlike other endpoints, this one refuses an address of another network. */
function check(indexer: Indexer, address: string): string {
  if (!isOfNetwork(indexer, address)) throw refuse(400, `Invalid address: ${address}`)
  return checkAddress(address)
}

/** The server omits the script's version, and names the script `scriptPublicKey`. */
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
