import { blockHeader, type ChainRestBlockHeader } from './blocks.js'
import type { Shape } from '../decoding/shape.js'

export interface ChainRestBlueScoreResponse {
  blueScore: number
}

/** The state of the DAG. Counts, scores and times (ms) are decimal text. */
export interface ChainRestBlockdagResponse {
  /** Such as `kaspa-mainnet`; reported by the node. */
  networkName: string
  blockCount: string
  headerCount: string
  tipHashes: string[]
  difficulty: number
  pastMedianTime: string
  virtualParentHashes: string[]
  pruningPointHash: string
  virtualDaaScore: string
  sink: string
}

/** Sompi, as decimal text. */
export interface ChainRestCoinSupplyResponse {
  circulatingSupply: string
  maxSupply: string
}

export interface ChainRestBlockRewardResponse {
  /** KAS per block, by mainnet's emission schedule. */
  blockreward: number
}

export interface ChainRestHalvingResponse {
  /** Unix seconds. */
  nextHalvingTimestamp: number
  nextHalvingDate: string
  /** KAS per block. */
  nextHalvingAmount: number
}

export interface ChainRestHashrateResponse {
  /** TH/s. */
  hashrate: number
}

/**
 * The block of the highest hash rate. Its `timestamp` is an ISO date-time without zone; other header fields are not
 * sent.
 */
export interface ChainRestMaxHashrateBlockHeader extends ChainRestBlockHeader {
  hash?: string
  difficulty?: number
}

export interface ChainRestMaxHashrateResponse {
  /** TH/s. */
  hashrate?: number
  blockheader: ChainRestMaxHashrateBlockHeader
}

export interface ChainRestHashrateHistoryResponse {
  daaScore: number
  blueScore: number
  /** Unix milliseconds. */
  timestamp: number
  date_time: string
  /** Missing in averaged samples. */
  bits?: number
  difficulty: number
  /** kH/s, rounded to a double above 2^53. */
  hashrate_kh: number
  hashrate_khExact: bigint
}

/** US dollars per KAS. */
export interface ChainRestPriceResponse {
  price: number
}

/** US dollars. */
export interface ChainRestMarketCapResponse {
  marketcap: number
}

/** Feerates in sompi per gram; truncated to integers by the server, exact over RPC. */
export interface ChainRestFeeEstimate {
  priorityBucket: ChainRestFeeBucket
  normalBuckets: ChainRestFeeBucket[]
  lowBuckets: ChainRestFeeBucket[]
}

export interface ChainRestFeeBucket {
  feerate: number
  estimatedSeconds: number
}

export const blueScore: Shape<ChainRestBlueScoreResponse> = { has: { blueScore: 'count' } }

export const blockdag: Shape<ChainRestBlockdagResponse> = {
  has: {
    networkName: 'text',
    blockCount: 'countDigits',
    headerCount: 'countDigits',
    tipHashes: 'texts',
    difficulty: 'measure',
    pastMedianTime: 'timeDigits',
    virtualParentHashes: 'texts',
    pruningPointHash: 'text',
    virtualDaaScore: 'countDigits',
    sink: 'text',
  },
}

export const coinSupply: Shape<ChainRestCoinSupplyResponse> = {
  has: { circulatingSupply: 'sompiDigits', maxSupply: 'sompiDigits' },
}

export const blockReward: Shape<ChainRestBlockRewardResponse> = { has: { blockreward: 'measure' } }

export const halving: Shape<ChainRestHalvingResponse> = {
  has: { nextHalvingTimestamp: 'measure', nextHalvingDate: 'text', nextHalvingAmount: 'measure' },
}

export const hashrate: Shape<ChainRestHashrateResponse> = { has: { hashrate: 'measure' } }

export const maxHashrate: Shape<ChainRestMaxHashrateResponse> = {
  has: { blockheader: { may: { ...blockHeader.may, timestamp: 'text', hash: 'text', difficulty: 'measure' } } },
  may: { hashrate: 'measure' },
}

export const hashrateHistory: Shape<ChainRestHashrateHistoryResponse[]> = {
  each: {
    has: {
      daaScore: 'count',
      blueScore: 'count',
      timestamp: 'time',
      date_time: 'text',
      difficulty: 'measure',
      hashrate_kh: 'u64',
    },
    may: { bits: 'u32' },
  },
}

export const price: Shape<ChainRestPriceResponse> = { has: { price: 'measure' } }

export const marketCap: Shape<ChainRestMarketCapResponse> = { has: { marketcap: 'measure' } }

const feeBucket: Shape<ChainRestFeeBucket> = { has: { feerate: 'measure', estimatedSeconds: 'measure' } }

export const feeEstimate: Shape<ChainRestFeeEstimate> = {
  has: { priorityBucket: feeBucket, normalBuckets: { each: feeBucket }, lowBuckets: { each: feeBucket } },
}
