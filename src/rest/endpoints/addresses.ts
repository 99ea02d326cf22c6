import { fullDay, fullHour, oneOf } from './arguments.js'
import { createOperations, type CallEndpoint, type Endpoints, verifyAddress, verifyAddresses } from './endpoint.js'
import { ADDRESS, HISTORY, recomputed } from '../requests/prepared-request.js'
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

/** Selects a sample of the hourly rankings: the newest before a full hour (ms), or the newest of all. */
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

/** Balances, names and activity of addresses. */
export interface AddressOperations {
  /** Balance of an address. Source: the indexer's node. */
  readonly getAddressBalance: (address: string, options?: ChainRestRequestOptions) => Promise<ChainRestBalanceEntry>
  /** Balance of each address, in the given order, duplicates included. */
  readonly getBalancesByAddresses: (
    addresses: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestBalanceEntry[]>
  /**
   * Balance of an address on a day (`YYYY-MM-DD`) or in a month (`YYYY-MM`), UTC, newest first. Empty unless the
   * address is among the richest. Rejects with status 503 on servers without rankings.
   */
  readonly getAddressBalanceHistory: (
    address: string,
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressBalanceHistory[]>
  /** Every address that the server's operator has named. */
  readonly getAddressNames: (options?: ChainRestRequestOptions) => Promise<ChainRestAddressName[]>
  /** The name of an address. Rejects with status 404 if it has none, which is the usual case. */
  readonly getAddressName: (address: string, options?: ChainRestRequestOptions) => Promise<ChainRestAddressName>
  /** The richest addresses, in a list of at most one sample. Rejects with status 503 on servers without rankings. */
  readonly getTopAddresses: (options?: TopAddressesOptions) => Promise<ChainRestTopAddresses[]>
  /** Distribution of balances, newest sample first. Rejects with status 503 on servers without rankings. */
  readonly getAddressDistribution: (options?: AddressDistributionOptions) => Promise<ChainRestDistributionTiers[]>
  /** Whether each address was ever used, in the given order: for the gap scan of a wallet. */
  readonly getAddressesActive: (
    addresses: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveResponse[]>
  /** How many addresses were ever active. Rejects with status 503 on servers without counts. */
  readonly getAddressesActiveCount: (
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveCountResponse>
  /** How many addresses were active in each hour of a day or day of a month, oldest first. */
  readonly getAddressesActiveCountFor: (
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestAddressesActiveCountResponse[]>
  /** How many transactions involve an address. */
  readonly getAddressTransactionCount: (
    address: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionCount>
}

export const addressEndpoints: Endpoints<AddressOperations> = {
  getAddressBalance: {
    get: '/addresses/{address}/balance',
    verify: verifyAddress,
    decoder: 'balanceEntry',
    cache: ADDRESS,
  },
  getBalancesByAddresses: {
    post: '/addresses/balances',
    body: ['addresses'],
    verify: verifyAddresses,
    decoder: 'balanceEntries',
    cache: ADDRESS,
  },
  getAddressBalanceHistory: {
    get: '/addresses/{address}/balance/{dayOrMonth}',
    decoder: 'balanceHistory',
    cache: HISTORY,
  },
  getAddressNames: { get: '/addresses/names', decoder: 'addressNames', cache: recomputed(60_000) },
  getAddressName: {
    get: '/addresses/{address}/name',
    verify: verifyAddress,
    decoder: 'addressName',
    cache: recomputed(600_000),
  },
  getTopAddresses: {
    get: '/addresses/top',
    query: { before: fullHour, limit: oneOf(1) },
    decoder: 'topAddresses',
    cache: recomputed(60_000),
  },
  getAddressDistribution: {
    get: '/addresses/distribution',
    query: { before: fullHour, limit: oneOf(1, 24) },
    rule: ({ limit, before }) => limit === 24 && before !== undefined && fullDay(before, 'before'),
    decoder: 'distributionTiers',
    cache: recomputed(180_000),
  },
  getAddressesActive: {
    post: '/addresses/active',
    body: ['addresses'],
    verify: verifyAddresses,
    decoder: 'activities',
    cache: ADDRESS,
  },
  getAddressesActiveCount: { get: '/addresses/active/count/', decoder: 'activeCount', cache: recomputed(600_000) },
  getAddressesActiveCountFor: { get: '/addresses/active/count/{dayOrMonth}', decoder: 'activeCounts', cache: HISTORY },
  getAddressTransactionCount: {
    get: '/addresses/{address}/transactions-count',
    decoder: 'transactionCount',
    cache: ADDRESS,
  },
}

export function createAddressOperations(call: CallEndpoint): AddressOperations {
  const operations = createOperations<AddressOperations>(call, addressEndpoints)
  return {
    ...operations,
    // the server fails for an empty list
    getAddressesActive: async (addresses, options) =>
      Array.isArray(addresses) && addresses.length === 0 ? [] : operations.getAddressesActive(addresses, options),
  }
}
