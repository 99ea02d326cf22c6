import { addressInPath, checkAddress, isOfNetwork, sampleAddresses, toOwn } from '../address.js'
import { listOf, record, text, usually, type Reader } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { blockTimeOf } from '../records/transaction.js'

const addresses: Reader<readonly string[] | undefined> = listOf(text)

/** A body that names addresses; the server asks about one of its own where it does not. */
export const addressesBody = record({ addresses: usually(addresses, undefined) })

export const named = (indexer: Indexer, body: { readonly addresses: readonly string[] | undefined }) =>
  (body.addresses ?? sampleAddresses(indexer)).map(checkAddress)

const balanceOf = (indexer: Indexer, address: string) => ({
  address,
  balance: indexer.ask('getBalanceByAddress', { address: toOwn(indexer, address) }).balance,
})

/** What addresses hold, and whether they were ever used. */
export const addressRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/balance', {
    inPath: addressInPath,
    answer: ({ path }, indexer) => ok(balanceOf(indexer, checkAddress(path.kaspaAddress))),
  }),

  post('/addresses/balances', {
    body: addressesBody,
    answer: ({ body }, indexer) => ok(named(indexer, body).map((address) => balanceOf(indexer, address))),
  }),

  post('/addresses/active', {
    body: addressesBody,
    strict: true,
    answer({ body }, indexer) {
      const asked = named(indexer, body)
      if (asked.length === 0) throw internalError()
      return ok(asked.map((address) => activityOf(indexer, address)))
    },
  }),

  get('/addresses/names', { strict: true, answer: () => ok([], 60) }),

  /** A devnode names nobody. */
  get('/addresses/{kaspaAddress}/name', {
    inPath: addressInPath,
    strict: true,
    answer({ path }) {
      checkAddress(path.kaspaAddress)
      throw refuse(404, 'Address name not found', { 'cache-control': 'public, max-age=600' })
    },
  }),

  get('/addresses/{kaspaAddress}/transactions-count', {
    inPath: addressInPath,
    strict: true,
    answer: ({ path }, { ledger }) =>
      ok({ total: ledger.history.transactionIdsOf(checkAddress(path.kaspaAddress)).length }, 4),
  }),
]

/** An address of another network reads as never used, even where its key is used here. */
function activityOf(indexer: Indexer, address: string) {
  const [newest] = isOfNetwork(indexer, address) ? indexer.ledger.history.transactionIdsOf(address) : []
  const found = newest === undefined ? undefined : indexer.transaction(newest)
  return {
    address,
    active: found !== undefined,
    lastTxBlockTime: found === undefined ? null : blockTimeOf(indexer, found),
  }
}
