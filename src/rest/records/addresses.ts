import { type Shape, isRecord, decodeShape, type WireRecord } from '../decoding/shape.js'

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

export interface ChainRestOutpoint {
  transactionId?: string
  index?: number
}

export interface ChainRestScriptPublicKey {
  version?: number
  /** Hex. */
  script?: string
}

/** A UTXO without its outpoint. Amount (sompi) and score are decimal text for `BigInt`. */
export interface ChainRestUtxoModel {
  amount?: string
  scriptPublicKey: ChainRestScriptPublicKey
  blockDaaScore?: string
  isCoinbase?: boolean
}

/** A UTXO with its outpoint and address. */
export interface ChainRestUtxoResponse {
  address?: string
  outpoint: ChainRestOutpoint
  utxoEntry: ChainRestUtxoModel
}

export interface ChainRestUtxoCountResponse {
  count: number
}

/** The server names the script `scriptPublicKey` and omits the version; nodes accept only 0. */
function renameScript(record: WireRecord): void {
  if (!isRecord(record.scriptPublicKey)) return // the shape check rejects it
  const { scriptPublicKey, version, ...others } = record.scriptPublicKey
  record.scriptPublicKey = { ...others, version: version ?? 0, script: others.script ?? scriptPublicKey }
}

export const utxos: Shape<ChainRestUtxoResponse[]> = {
  each: {
    has: {
      outpoint: { may: { transactionId: 'text', index: 'u32' } },
      utxoEntry: {
        rename: renameScript,
        has: { scriptPublicKey: { may: { version: 'u32', script: 'text' } } },
        may: { amount: 'sompiDigits', blockDaaScore: 'countDigits', isCoinbase: 'flag' },
      },
    },
    may: { address: 'text' },
  },
}

export const utxoCount: Shape<ChainRestUtxoCountResponse> = { has: { count: 'count' } }

/** The UTXOs of one address, and whether an empty list may mean "too many". */
export interface UtxoList {
  readonly entries: ChainRestUtxoResponse[]
  readonly mayBeTruncated: boolean
}

/** An empty list that is cacheable for more than 8 s may mean "too many": the server grants those a minute. */
export function utxoList(body: unknown, headers: Headers): UtxoList {
  const entries = decodeShape(utxos, body)
  const maxAge = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]
  return { entries, mayBeTruncated: entries.length === 0 && !(Number(maxAge) <= 8) }
}
