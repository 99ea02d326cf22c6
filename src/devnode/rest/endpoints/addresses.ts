import { isValidAddress, toAddress, toScriptPublicKey } from '../../../model/address.js'
import type { Indexer } from '../indexer.js'
import { matching, type Fields, listOf, record, text, withDefault, type Reader } from '../http/reader.js'
import { refuse, internalError, ok } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import { blockTimeOf } from '../records/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { byUtxoCount } from '../period.js'

/** The server validates addresses in two steps, and not at every endpoint. */

const patternOf = ({ network }: Indexer): string => `^${network.addressPrefix}:[a-z0-9]{61,63}$`

/** The address in a path, validated by its pattern only. */
export const addressParam = (indexer: Indexer) => ({ kaspaAddress: matching(patternOf(indexer)) }) satisfies Fields

/** Validates the checksum. */
export function checkAddress(address: string): string {
  if (isValidAddress(address)) return address
  throw refuse(400, `Invalid address: ${String(address)}`)
}

const isOfNetwork = (indexer: Indexer, address: string): boolean => new RegExp(patternOf(indexer)).test(address)

/** The same script's address on this network: the node compares scripts only. */
const toNetworkAddress = ({ network }: Indexer, address: string): string =>
  toAddress(toScriptPublicKey(address), network.addressPrefix) ?? address

/** The server's example address, used if a body has no addresses; its checksum is valid on mainnet only. */
const sampleAddresses = ({ network }: Indexer): readonly string[] => [
  `${network.addressPrefix}:qpqz2vxj23kvh0m73ta2jjn2u4cv4tlufqns2eap8mxyyt0rvrxy6ejkful67`,
]

const addresses: Reader<readonly string[] | undefined> = listOf(text)

/** A body with addresses; the server uses its example address if there are none. */
const addressesBody = record({ addresses: withDefault(addresses, undefined) })

const requestedAddresses = (indexer: Indexer, body: { readonly addresses: readonly string[] | undefined }) =>
  (body.addresses ?? sampleAddresses(indexer)).map(checkAddress)

const balanceOf = (indexer: Indexer, address: string) => ({
  address,
  balance: indexer.call('getBalanceByAddress', { address: toNetworkAddress(indexer, address) }).balance,
})

/** Balances and activity of addresses. */
export const addressRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/balance', {
    pathParams: addressParam,
    handle: ({ path }, indexer) => ok(balanceOf(indexer, checkAddress(path.kaspaAddress))),
  }),

  post('/addresses/balances', {
    body: addressesBody,
    handle: ({ body }, indexer) => ok(requestedAddresses(indexer, body).map((address) => balanceOf(indexer, address))),
  }),

  post('/addresses/active', {
    body: addressesBody,
    strict: true,
    handle({ body }, indexer) {
      const requested = requestedAddresses(indexer, body)
      if (requested.length === 0) throw internalError()
      return ok(requested.map((address) => activityOf(indexer, address)))
    },
  }),

  get('/addresses/names', { strict: true, handle: () => ok([], 60) }),

  /** A devnode has no address names. */
  get('/addresses/{kaspaAddress}/name', {
    pathParams: addressParam,
    strict: true,
    handle({ path }) {
      checkAddress(path.kaspaAddress)
      throw refuse(404, 'Address name not found', { 'cache-control': 'public, max-age=600' })
    },
  }),

  get('/addresses/{kaspaAddress}/transactions-count', {
    pathParams: addressParam,
    strict: true,
    handle: ({ path }, { ledger }) =>
      ok({ total: ledger.history.transactionIdsOf(checkAddress(path.kaspaAddress)).length }, 4),
  }),
]

/** An address of another network is reported as inactive, even if its script is used on this one. */
function activityOf(indexer: Indexer, address: string) {
  const [newest] = isOfNetwork(indexer, address) ? indexer.ledger.history.transactionIdsOf(address) : []
  const found = newest === undefined ? undefined : indexer.transaction(newest)
  return {
    address,
    active: found !== undefined,
    lastTxBlockTime: found === undefined ? null : blockTimeOf(indexer, found),
  }
}

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
