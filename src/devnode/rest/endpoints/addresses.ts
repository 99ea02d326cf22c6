import { addressParam, checkAddress, isOfNetwork, sampleAddresses, toNetworkAddress } from '../address.js'
import { listOf, record, text, withDefault, type Reader } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { blockTimeOf } from '../records/transaction.js'

const addresses: Reader<readonly string[] | undefined> = listOf(text)

/** A body with addresses; the server uses its example address if there are none. */
export const addressesBody = record({ addresses: withDefault(addresses, undefined) })

export const requestedAddresses = (indexer: Indexer, body: { readonly addresses: readonly string[] | undefined }) =>
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
