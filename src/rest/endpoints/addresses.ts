import { fullDay, fullHour, oneOf } from './arguments.js'
import { createOperations, type Ask, type Endpoints } from './endpoint.js'
import { ADDRESS, HISTORY, slow } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type {
  ChainRestAddressBalanceHistory,
  ChainRestAddressName,
  ChainRestAddressesActiveCountResponse,
  ChainRestAddressesActiveResponse,
  ChainRestBalanceEntry,
  ChainRestDistributionTiers,
  ChainRestTopAddresses,
  ChainRestTransactionCount,
} from '../records/addresses.js'

/** Which sample of the hourly rankings: the newest before a full hour (ms), or the newest of all. */
export interface TopAddressesOptions extends ChainRestRequestOptions {
  readonly before?: number | undefined
  /** 1 is the only value that the server allows. */
  readonly limit?: 1 | undefined
}

export interface AddressDistributionOptions extends ChainRestRequestOptions {
  /** A full hour in ms; the start of a day (UTC) with a limit of 24. */
  readonly before?: number | undefined
  /** The last sample, or those of a day. @default 1 */
  readonly limit?: 1 | 24 | undefined
}

/** What addresses hold, who they are, and whether they are used. */
export interface AddressOperations {
  /** What an address holds. Source: the indexer's node. */
  readonly getAddressBalance: (address: string, options?: ChainRestRequestOptions) => Promise<ChainRestBalanceEntry>
  /** What each address holds, in the order asked, duplicates kept. */
  readonly getBalancesByAddresses: (
    addresses: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestBalanceEntry[]>
  /**
   * What an address held on a day (`YYYY-MM-DD`) or in a month (`YYYY-MM`), UTC, newest first. Empty unless the address
   * is among the richest. Rejects with status 503 where the server does not keep rankings.
   */
  readonly getAddressBalanceHistory: (
    address: string,
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressBalanceHistory[]>
  /** Every address that the operator has named. */
  readonly getAddressNames: (options?: ChainRestRequestOptions) => Promise<ChainRestAddressName[]>
  /** The name of an address. Rejects with status 404 where it has none, which is the usual case. */
  readonly getAddressName: (address: string, options?: ChainRestRequestOptions) => Promise<ChainRestAddressName>
  /** The richest addresses, in a list of one sample or none. Rejects with status 503 where the server does not rank. */
  readonly getTopAddresses: (options?: TopAddressesOptions) => Promise<ChainRestTopAddresses[]>
  /** How wealth is spread, newest sample first. Rejects with status 503 where the server does not rank. */
  readonly getAddressDistribution: (options?: AddressDistributionOptions) => Promise<ChainRestDistributionTiers[]>
  /** Whether each address was ever used, in the order asked: for the gap scan of a wallet. */
  readonly getAddressesActive: (
    addresses: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveResponse[]>
  /** How many addresses were ever active. Rejects with status 503 where the server does not count. */
  readonly getAddressesActiveCount: (
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveCountResponse>
  /** How many addresses were active in each hour of a day or day of a month, oldest first. */
  readonly getAddressesActiveCountFor: (
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveCountResponse[]>
  /** How many transactions touch an address. */
  readonly getAddressTransactionCount: (
    address: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionCount>
}

export const addressEndpoints: Endpoints<AddressOperations> = {
  getAddressBalance: { get: '/addresses/{address}/balance', reads: 'balanceEntry', keep: ADDRESS },
  getBalancesByAddresses: { post: '/addresses/balances', body: ['addresses'], reads: 'balanceEntries', keep: ADDRESS },
  getAddressBalanceHistory: {
    get: '/addresses/{address}/balance/{dayOrMonth}',
    reads: 'balanceHistory',
    keep: HISTORY,
  },
  getAddressNames: { get: '/addresses/names', reads: 'addressNames', keep: slow(60_000) },
  getAddressName: { get: '/addresses/{address}/name', reads: 'addressName', keep: slow(600_000) },
  getTopAddresses: {
    get: '/addresses/top',
    query: { before: fullHour, limit: oneOf(1) },
    reads: 'topAddresses',
    keep: slow(60_000),
  },
  getAddressDistribution: {
    get: '/addresses/distribution',
    query: { before: fullHour, limit: oneOf(1, 24) },
    rule: ({ limit, before }) => limit === 24 && before !== undefined && fullDay(before, 'before'),
    reads: 'distributionTiers',
    keep: slow(180_000),
  },
  getAddressesActive: { post: '/addresses/active', body: ['addresses'], reads: 'activities', keep: ADDRESS },
  getAddressesActiveCount: { get: '/addresses/active/count/', reads: 'activeCount', keep: slow(600_000) },
  getAddressesActiveCountFor: { get: '/addresses/active/count/{dayOrMonth}', reads: 'activeCounts', keep: HISTORY },
  getAddressTransactionCount: {
    get: '/addresses/{address}/transactions-count',
    reads: 'transactionCount',
    keep: ADDRESS,
  },
}

export function createAddressOperations(ask: Ask): AddressOperations {
  const operations = createOperations<AddressOperations>(ask, addressEndpoints)
  return {
    ...operations,
    // the server fails where it is asked about nobody
    getAddressesActive: async (addresses, options) =>
      Array.isArray(addresses) && addresses.length === 0 ? [] : operations.getAddressesActive(addresses, options),
  }
}
