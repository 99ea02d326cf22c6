import { ChainRestError } from '../../errors/rest-error.js'
import { type CallEndpoint, type Endpoint, verifyAmongAddresses } from './endpoint.js'
import { ADDRESS } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestUtxoCountResponse, ChainRestUtxoResponse } from '../records/addresses.js'
import { addressEndpoints } from './addresses.js'

/** Unspent outputs, from the indexer's node. Before spending, pass `forceRefresh`. */
export interface UtxoOperations {
  /**
   * The unspent outputs of an address, in no particular order. Rejects with `too-many` if there are more than the
   * server lists (10,000 by default), which it signals by an empty list.
   */
  readonly getUtxosByAddress: (address: string, options?: ChainRestRequestOptions) => Promise<ChainRestUtxoResponse[]>
  /** The unspent outputs of all these addresses, in no particular order. Rejects with `too-many` as for one address. */
  readonly getUtxosByAddresses: (
    addresses: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestUtxoResponse[]>
  /** How many unspent outputs an address has. */
  readonly getUtxoCountByAddress: (
    address: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestUtxoCountResponse>
}

const ONE: Endpoint<'utxoList'> = {
  get: '/addresses/{address}/utxos',
  verify: ({ entries }, args) => verifyAmongAddresses(entries, args),
  decoder: 'utxoList',
  cache: ADDRESS,
  slow: true,
}
const MANY: Endpoint<'utxos'> = {
  post: '/addresses/utxos',
  body: ['addresses'],
  verify: verifyAmongAddresses,
  decoder: 'utxos',
  cache: ADDRESS,
  slow: true,
}
const COUNT: Endpoint<'utxoCount'> = {
  get: '/addresses/{address}/utxos/count',
  decoder: 'utxoCount',
  cache: ADDRESS,
  slow: true,
}

export function createUtxoOperations(call: CallEndpoint, shownUrl: string): UtxoOperations {
  const getUtxosByAddress: UtxoOperations['getUtxosByAddress'] = async (address, options) => {
    const { entries, mayBeTruncated } = await call(ONE, { address }, options)
    const { count } = mayBeTruncated ? await call(COUNT, { address }, options) : { count: 0 }
    if (count > 0) throw tooMany(`${shownUrl}/addresses/${address}/utxos`, count)
    return entries
  }

  return {
    getUtxosByAddress,
    getUtxoCountByAddress: (address, options) => call(COUNT, { address }, options),
    async getUtxosByAddresses(addresses, options) {
      const entries = await call(MANY, { addresses }, options)
      const listed = new Set(entries.map(({ address }) => address))
      const withoutEntries = [...new Set(addresses)].filter((address) => !listed.has(address))
      const omitted = await filterFunded(call, withoutEntries, options)
      const found = await Promise.all(omitted.map((address) => getUtxosByAddress(address, options)))
      return [...entries, ...found.flat()]
    },
  }
}

/** Addresses with a balance. If the list has no entries of theirs, the server omitted them as too many. */
async function filterFunded(
  call: CallEndpoint,
  addresses: readonly string[],
  options: ChainRestRequestOptions | undefined,
): Promise<string[]> {
  if (addresses.length === 0) return []
  const balances = await call(addressEndpoints.getBalancesByAddresses, { addresses }, options)
  return balances.filter(({ balanceExact }) => balanceExact > 0n).map(({ address }) => address)
}

function tooMany(url: string, count: number): ChainRestError {
  return new ChainRestError({
    code: 'too-many',
    status: 200,
    method: 'GET',
    url,
    reason: `${count} unspent outputs`,
    hint: 'Query a node over RPC, or consolidate the UTXOs of the address.',
  })
}
