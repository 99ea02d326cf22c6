import { oneOf, yesOrNo } from './arguments.js'
import { createOperations, type Ask, type Endpoint, type Endpoints } from './endpoint.js'
import { HISTORY, MARKET, NEVER, TIP } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type {
  ChainRestBlockRewardResponse,
  ChainRestBlockdagResponse,
  ChainRestBlueScoreResponse,
  ChainRestCoinSupplyResponse,
  ChainRestFeeEstimate,
  ChainRestHalvingResponse,
  ChainRestHashrateHistoryResponse,
  ChainRestHashrateResponse,
  ChainRestMarketCapResponse,
  ChainRestMaxHashrateResponse,
  ChainRestPriceResponse,
} from '../records/network.js'

/** The fields of the next halving that the server gives alone, as text. */
export type ChainRestHalvingField = 'nextHalvingTimestamp' | 'nextHalvingDate' | 'nextHalvingAmount'

export interface HashrateHistoryOptions extends ChainRestRequestOptions {
  /** @default '1h' */
  readonly resolution?: '15m' | '1h' | '3h' | '1d' | '7d' | undefined
}

export interface HashrateHistoryForOptions extends ChainRestRequestOptions {
  /** @default '15m' */
  readonly resolution?: '15m' | '1h' | undefined
}

/** An operation whose answer the server also writes as text, rounded for the eye, where `stringOnly` is true. */
export interface OrText<T> {
  (options: ChainRestRequestOptions & { readonly stringOnly: true }): Promise<string>
  (options?: ChainRestRequestOptions & { readonly stringOnly?: false | undefined }): Promise<T>
}

/** The next reduction of the block reward, or one field of it as text. */
export interface GetHalving {
  (options?: ChainRestRequestOptions): Promise<ChainRestHalvingResponse>
  (field: ChainRestHalvingField, options?: ChainRestRequestOptions): Promise<string>
}

/** The network as a whole: its tip, supply, hash rate, price. */
export interface InfoOperations {
  /** The blue score of the tip. */
  readonly getVirtualSelectedParentBlueScore: (options?: ChainRestRequestOptions) => Promise<ChainRestBlueScoreResponse>
  readonly getBlockDag: (options?: ChainRestRequestOptions) => Promise<ChainRestBlockdagResponse>
  /** The server's older name for `getBlockDag`. */
  readonly getNetwork: (options?: ChainRestRequestOptions) => Promise<ChainRestBlockdagResponse>
  /** In sompi, as decimal text. */
  readonly getCoinSupply: (options?: ChainRestRequestOptions) => Promise<ChainRestCoinSupplyResponse>
  /** KAS as decimal text, good to about 0.00001 KAS; in billions with two decimals. */
  readonly getCirculatingCoins: (inBillion?: boolean, options?: ChainRestRequestOptions) => Promise<string>
  /** The same value: it is not the most there will ever be. */
  readonly getTotalCoins: (inBillion?: boolean, options?: ChainRestRequestOptions) => Promise<string>
  readonly getBlockReward: OrText<ChainRestBlockRewardResponse>
  readonly getHalving: GetHalving
  readonly getHashrate: OrText<ChainRestHashrateResponse>
  readonly getMaxHashrate: (options?: ChainRestRequestOptions) => Promise<ChainRestMaxHashrateResponse>
  /** All of it, newest first: large at a fine resolution. Rejects with status 503 where the server does not keep it. */
  readonly getHashrateHistory: (options?: HashrateHistoryOptions) => Promise<ChainRestHashrateHistoryResponse[]>
  /** That of a day or a month (UTC), newest first. */
  readonly getHashrateHistoryFor: (
    dayOrMonth: string,
    options?: HashrateHistoryForOptions,
  ) => Promise<ChainRestHashrateHistoryResponse[]>
  /** Cut to whole sompi a gram by the server; the node's own answer over RPC is exact. */
  readonly getFeeEstimate: (options?: ChainRestRequestOptions) => Promise<ChainRestFeeEstimate>
  readonly getMarketcap: OrText<ChainRestMarketCapResponse>
  /** Rejects with status 503 off mainnet. */
  readonly getPrice: OrText<ChainRestPriceResponse>
  /** What a third party says of the market: its shape is under nobody's control here. Never cached. */
  readonly getMarketData: (options?: ChainRestRequestOptions) => Promise<unknown>
}

const ENDPOINTS: Endpoints<Omit<InfoOperations, 'getHalving' | 'getCirculatingCoins' | 'getTotalCoins'>> = {
  getVirtualSelectedParentBlueScore: { get: '/info/virtual-chain-blue-score', reads: 'blueScore', keep: TIP },
  getBlockDag: { get: '/info/blockdag', reads: 'blockdag', keep: TIP },
  getNetwork: { get: '/info/network', reads: 'blockdag', keep: TIP },
  getCoinSupply: { get: '/info/coinsupply', reads: 'coinSupply', keep: MARKET },
  getBlockReward: { get: '/info/blockreward', reads: 'blockReward', keep: MARKET, alsoText: 'decimalText' },
  getHashrate: { get: '/info/hashrate', reads: 'hashrate', keep: MARKET, alsoText: 'decimalText' },
  getMaxHashrate: { get: '/info/hashrate/max', reads: 'maxHashrate', keep: HISTORY },
  getHashrateHistory: {
    get: '/info/hashrate/history',
    query: { resolution: oneOf('15m', '1h', '3h', '1d', '7d') },
    reads: 'hashrateHistory',
    keep: { fresh: 3_600_000, kept: 3_600_000 },
  },
  getHashrateHistoryFor: {
    get: '/info/hashrate/history/{dayOrMonth}',
    query: { resolution: oneOf('15m', '1h') },
    reads: 'hashrateHistory',
    keep: HISTORY,
  },
  getFeeEstimate: { get: '/info/fee-estimate', reads: 'feeEstimate', keep: TIP },
  getMarketcap: { get: '/info/marketcap', reads: 'marketCap', keep: MARKET, alsoText: 'plainText' },
  getPrice: { get: '/info/price', reads: 'price', keep: MARKET, alsoText: 'decimalText' },
  getMarketData: { get: '/info/market-data', reads: 'anything', keep: NEVER },
}

/** One field of the next halving, as text. */
const HALVING_FIELD: Endpoint<'plainText'> = {
  get: '/info/halving',
  query: { field: oneOf('nextHalvingTimestamp', 'nextHalvingDate', 'nextHalvingAmount') },
  reads: 'plainText',
  keep: MARKET,
}

const coins = (which: string): Endpoint<'decimalText'> => ({
  get: `/info/coinsupply/${which}`,
  query: { inBillion: yesOrNo },
  reads: 'decimalText',
  keep: MARKET,
})

export function createInfoOperations(ask: Ask): InfoOperations {
  function getHalving(options?: ChainRestRequestOptions): Promise<ChainRestHalvingResponse>
  function getHalving(field: ChainRestHalvingField, options?: ChainRestRequestOptions): Promise<string>
  function getHalving(
    first?: ChainRestHalvingField | ChainRestRequestOptions,
    options?: ChainRestRequestOptions,
  ): Promise<ChainRestHalvingResponse | string> {
    return typeof first === 'string'
      ? ask(HALVING_FIELD, { field: first }, options)
      : ask({ get: '/info/halving', reads: 'halving', keep: MARKET }, {}, first)
  }

  return {
    ...createOperations(ask, ENDPOINTS),
    getHalving,
    getCirculatingCoins: (inBillion, options) => ask(coins('circulating'), { inBillion }, options),
    getTotalCoins: (inBillion, options) => ask(coins('total'), { inBillion }, options),
  }
}
