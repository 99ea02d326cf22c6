import type { Shape } from '../decoding/shape.js'

/** Balance of an address, in sompi. */
export interface ChainRestBalanceEntry {
  address: string
  /** Sompi, rounded to a double above 2^53. */
  balance: number
  balanceExact: bigint
}

export type ChainRestBalancesByAddressEntry = ChainRestBalanceEntry
export type ChainRestBalanceResponse = ChainRestBalanceEntry

/** Balance of an address at a time. */
export interface ChainRestAddressBalanceHistory {
  /** Unix milliseconds. */
  timestamp: number
  /** Whole KAS, or sompi, depending on the indexer's configuration. */
  amount: number
  amountExact: bigint
}

/** A name assigned to an address by the indexer's operator. */
export interface ChainRestAddressName {
  address: string
  name: string
}

export interface ChainRestTopAddress {
  /** From 0. */
  rank: number
  address: string
  /** Whole KAS, or sompi, depending on the indexer's configuration. */
  amount: number
  amountExact: bigint
}

/** The richest addresses at a time. */
export interface ChainRestTopAddresses {
  /** Unix milliseconds. */
  timestamp: number
  ranking: ChainRestTopAddress[]
}

/** How many addresses hold amounts of one order of magnitude: tier 0 from 0.0001 KAS, tier n from 10^(n−1) KAS. */
export interface ChainRestDistributionTier {
  tier: number
  count: number
  /** Their total balance in whole KAS. */
  amount: number
  amountExact: bigint
}

export interface ChainRestDistributionTiers {
  /** Unix milliseconds. */
  timestamp: number
  tiers: ChainRestDistributionTier[]
}

/** Whether an address was ever used. */
export interface ChainRestAddressesActiveResponse {
  address: string
  active: boolean
  /** Unix milliseconds; on many servers the same for every active address: use `active` instead. */
  lastTxBlockTime?: number
}

/** Number of addresses active in an hour, or in total. */
export interface ChainRestAddressesActiveCountResponse {
  /** Unix milliseconds. */
  timestamp: number
  dateTime: string
  /** May be an estimate of the database; -1: unknown. */
  count: number
}

/** Number of transactions that involve an address. */
export interface ChainRestTransactionCount {
  total: number
}

export const balanceEntry: Shape<ChainRestBalanceEntry> = { has: { address: 'text', balance: 'sompi' } }

export const balanceHistory: Shape<ChainRestAddressBalanceHistory[]> = {
  each: { has: { timestamp: 'time', amount: 'sompi' } },
}

export const balanceEntries: Shape<ChainRestBalanceEntry[]> = { each: balanceEntry }

export const addressName: Shape<ChainRestAddressName> = { has: { address: 'text', name: 'text' } }

export const addressNames: Shape<ChainRestAddressName[]> = { each: addressName }

export const topAddresses: Shape<ChainRestTopAddresses[]> = {
  each: {
    has: {
      timestamp: 'time',
      ranking: { each: { has: { rank: 'count', address: 'text', amount: 'sompi' } } },
    },
  },
}

export const distributionTiers: Shape<ChainRestDistributionTiers[]> = {
  each: {
    has: { timestamp: 'time', tiers: { each: { has: { tier: 'count', count: 'count', amount: 'sompi' } } } },
  },
}

export const activities: Shape<ChainRestAddressesActiveResponse[]> = {
  each: { has: { address: 'text', active: 'flag' }, may: { lastTxBlockTime: 'time' } },
}

export const activeCount: Shape<ChainRestAddressesActiveCountResponse> = {
  has: { timestamp: 'time', dateTime: 'text', count: 'int' },
}

export const activeCounts: Shape<ChainRestAddressesActiveCountResponse[]> = { each: activeCount }

export const transactionCount: Shape<ChainRestTransactionCount> = { has: { total: 'count' } }
