import { ChainRestError } from '../../errors/rest-error.js'
import type { Ask, Endpoint } from './endpoint.js'
import { ADDRESS } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestUtxoCountResponse, ChainRestUtxoResponse } from '../records/utxos.js'
import { addressEndpoints } from './addresses.js'

/** Unspent outputs, as the indexer's node has them. Before spending, ask with `forceRefresh`. */
export interface UtxoOperations {
  /**
   * The unspent outputs of an address, in no particular order. Rejects with `too-many` where there are more than the
   * server lists (10,000 unless its operator chose otherwise), which it expresses by an empty list.
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

const ONE: Endpoint<'utxoList'> = { get: '/addresses/{address}/utxos', reads: 'utxoList', keep: ADDRESS, slow: true }
const MANY: Endpoint<'utxos'> = {
  post: '/addresses/utxos',
  body: ['addresses'],
  reads: 'utxos',
  keep: ADDRESS,
  slow: true,
}
const COUNT: Endpoint<'utxoCount'> = {
  get: '/addresses/{address}/utxos/count',
  reads: 'utxoCount',
  keep: ADDRESS,
  slow: true,
}

export function createUtxoOperations(ask: Ask, baseUrl: string): UtxoOperations {
  const getUtxosByAddress: UtxoOperations['getUtxosByAddress'] = async (address, options) => {
    const { entries, isDoubtful } = await ask(ONE, { address }, options)
    const { count } = isDoubtful ? await ask(COUNT, { address }, options) : { count: 0 }
    if (count > 0) throw tooMany(`${baseUrl}/addresses/${address}/utxos`, count)
    return entries
  }

  return {
    getUtxosByAddress,
    getUtxoCountByAddress: (address, options) => ask(COUNT, { address }, options),
    async getUtxosByAddresses(addresses, options) {
      const entries = await ask(MANY, { addresses }, options)
      const listed = new Set(entries.map(({ address }) => address))
      const silent = [...new Set(addresses)].filter((address) => !listed.has(address))
      const omitted = await findHolders(ask, silent, options)
      const found = await Promise.all(omitted.map((address) => getUtxosByAddress(address, options)))
      return [...entries, ...found.flat()]
    },
  }
}

/** Those that hold something: where the list has nothing of theirs, the server left them out for having too many. */
async function findHolders(
  ask: Ask,
  addresses: readonly string[],
  options: ChainRestRequestOptions | undefined,
): Promise<string[]> {
  if (addresses.length === 0) return []
  const balances = await ask(addressEndpoints.getBalancesByAddresses, { addresses }, options)
  return balances.filter(({ balanceExact }) => balanceExact > 0n).map(({ address }) => address)
}

function tooMany(url: string, count: number): ChainRestError {
  return new ChainRestError({
    code: 'too-many',
    status: 200,
    method: 'GET',
    url,
    reason: `${count} unspent outputs`,
    hint: 'Ask a node over RPC, or consolidate the outputs of the address.',
  })
}
