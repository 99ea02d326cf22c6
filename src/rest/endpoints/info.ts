import { oneOf, bool } from './arguments.js'
import { createOperations, type CallEndpoint, type Endpoint, type Endpoints } from './endpoint.js'
import { HISTORY, MARKET, UNCACHED, TIP } from '../requests/prepared-request.js'
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
import { ChainRestError } from '../../errors/rest-error.js'
import type { ChainRestChaindInfoResponse, ChainRestHealthResponse } from '../records/health.js'

/** The fields of the next halving that the server returns separately as text. */
export type ChainRestHalvingField = 'nextHalvingTimestamp' | 'nextHalvingDate' | 'nextHalvingAmount'

export interface HashrateHistoryOptions extends ChainRestRequestOptions {
  /** @default '1h' */
  readonly resolution?: '15m' | '1h' | '3h' | '1d' | '7d' | undefined
}

export interface HashrateHistoryForOptions extends ChainRestRequestOptions {
  /** @default '15m' */
  readonly resolution?: '15m' | '1h' | undefined
}

/** An operation that returns rounded text for display if `stringOnly` is true. */
export interface OrText<T> {
  (options: ChainRestRequestOptions & { readonly stringOnly: true }): Promise<string>
  (options?: ChainRestRequestOptions & { readonly stringOnly?: false | undefined }): Promise<T>
}

/** The next reduction of the block reward, or one field of it as text. */
export interface GetHalving {
  (options?: ChainRestRequestOptions): Promise<ChainRestHalvingResponse>
  (field: ChainRestHalvingField, options?: ChainRestRequestOptions): Promise<string>
}

/** Tip, supply, hash rate and price of the network. */
export interface InfoOperations {
  /** The blue score of the tip. */
  readonly getVirtualSelectedParentBlueScore: (options?: ChainRestRequestOptions) => Promise<ChainRestBlueScoreResponse>
  readonly getBlockDag: (options?: ChainRestRequestOptions) => Promise<ChainRestBlockdagResponse>
  /** The server's older name for `getBlockDag`. */
  readonly getNetwork: (options?: ChainRestRequestOptions) => Promise<ChainRestBlockdagResponse>
  /** In sompi, as decimal text. */
  readonly getCoinSupply: (options?: ChainRestRequestOptions) => Promise<ChainRestCoinSupplyResponse>
  /** KAS as decimal text, accurate to about 0.00001 KAS; in billions with two decimals. */
  readonly getCirculatingCoins: (inBillion?: boolean, options?: ChainRestRequestOptions) => Promise<string>
  /** The same value; not the maximum supply. */
  readonly getTotalCoins: (inBillion?: boolean, options?: ChainRestRequestOptions) => Promise<string>
  readonly getBlockReward: OrText<ChainRestBlockRewardResponse>
  readonly getHalving: GetHalving
  readonly getHashrate: OrText<ChainRestHashrateResponse>
  readonly getMaxHashrate: (options?: ChainRestRequestOptions) => Promise<ChainRestMaxHashrateResponse>
  /** The whole history, newest first: large at a fine resolution. Rejects with status 503 on servers without it. */
  readonly getHashrateHistory: (options?: HashrateHistoryOptions) => Promise<ChainRestHashrateHistoryResponse[]>
  /** The history of a day or a month (UTC), newest first. */
  readonly getHashrateHistoryFor: (
    dayOrMonth: string,
    options?: HashrateHistoryForOptions,
  ) => Promise<ChainRestHashrateHistoryResponse[]>
  /** Truncated to whole sompi per gram by the server; exact over RPC. */
  readonly getFeeEstimate: (options?: ChainRestRequestOptions) => Promise<ChainRestFeeEstimate>
  readonly getMarketcap: OrText<ChainRestMarketCapResponse>
  /** Rejects with status 503 off mainnet. */
  readonly getPrice: OrText<ChainRestPriceResponse>
  /** Market data of a third party in its own format. Never cached. */
  readonly getMarketData: (options?: ChainRestRequestOptions) => Promise<unknown>
}

export const infoEndpoints: Endpoints<Omit<InfoOperations, 'getHalving' | 'getCirculatingCoins' | 'getTotalCoins'>> = {
  getVirtualSelectedParentBlueScore: { get: '/info/virtual-chain-blue-score', decoder: 'blueScore', cache: TIP },
  getBlockDag: { get: '/info/blockdag', decoder: 'blockdag', cache: TIP },
  getNetwork: { get: '/info/network', decoder: 'blockdag', cache: TIP },
  getCoinSupply: { get: '/info/coinsupply', decoder: 'coinSupply', cache: MARKET },
  getBlockReward: { get: '/info/blockreward', decoder: 'blockReward', cache: MARKET, alsoText: 'decimalText' },
  getHashrate: { get: '/info/hashrate', decoder: 'hashrate', cache: MARKET, alsoText: 'decimalText' },
  getMaxHashrate: { get: '/info/hashrate/max', decoder: 'maxHashrate', cache: HISTORY },
  getHashrateHistory: {
    get: '/info/hashrate/history',
    query: { resolution: oneOf('15m', '1h', '3h', '1d', '7d') },
    decoder: 'hashrateHistory',
    cache: { staleTime: 3_600_000, cacheTime: 3_600_000 },
  },
  getHashrateHistoryFor: {
    get: '/info/hashrate/history/{dayOrMonth}',
    query: { resolution: oneOf('15m', '1h') },
    decoder: 'hashrateHistory',
    cache: HISTORY,
  },
  getFeeEstimate: { get: '/info/fee-estimate', decoder: 'feeEstimate', cache: TIP },
  getMarketcap: { get: '/info/marketcap', decoder: 'marketCap', cache: MARKET, alsoText: 'plainText' },
  getPrice: { get: '/info/price', decoder: 'price', cache: MARKET, alsoText: 'decimalText' },
  getMarketData: { get: '/info/market-data', decoder: 'anything', cache: UNCACHED },
}

/** One field of the next halving, as text. */
const HALVING_FIELD: Endpoint<'plainText'> = {
  get: '/info/halving',
  query: { field: oneOf('nextHalvingTimestamp', 'nextHalvingDate', 'nextHalvingAmount') },
  decoder: 'plainText',
  cache: MARKET,
}

const supplyEndpoint = (which: string): Endpoint<'decimalText'> => ({
  get: `/info/coinsupply/${which}`,
  query: { inBillion: bool },
  decoder: 'decimalText',
  cache: MARKET,
})

export function createInfoOperations(call: CallEndpoint): InfoOperations {
  function getHalving(options?: ChainRestRequestOptions): Promise<ChainRestHalvingResponse>
  function getHalving(field: ChainRestHalvingField, options?: ChainRestRequestOptions): Promise<string>
  function getHalving(
    first?: ChainRestHalvingField | ChainRestRequestOptions,
    options?: ChainRestRequestOptions,
  ): Promise<ChainRestHalvingResponse | string> {
    return typeof first === 'string'
      ? call(HALVING_FIELD, { field: first }, options)
      : call({ get: '/info/halving', decoder: 'halving', cache: MARKET }, {}, first)
  }

  return {
    ...createOperations(call, infoEndpoints),
    getHalving,
    getCirculatingCoins: (inBillion, options) => call(supplyEndpoint('circulating'), { inBillion }, options),
    getTotalCoins: (inBillion, options) => call(supplyEndpoint('total'), { inBillion }, options),
  }
}

/** Health of the indexer and its node. */
export interface HealthOperations {
  /** Nodes and database. An unhealthy report (status 503) is returned too and never cached. */
  readonly getHealth: (options?: ChainRestRequestOptions) => Promise<ChainRestHealthResponse>
  /** The indexer's node. */
  readonly getChaindInfo: (options?: ChainRestRequestOptions) => Promise<ChainRestChaindInfoResponse>
}

export const healthEndpoints: Endpoints<HealthOperations> = {
  getHealth: { get: '/info/health', decoder: 'health', cache: TIP },
  getChaindInfo: { get: '/info/kaspad', decoder: 'chaindInfo', cache: TIP },
}

/**
 * Rejects with `network` where the server has no synced node: the empty list that it sent then says nothing. The health
 * is always fetched, because a cached one may be older than the list. `options` are those of the call that got the
 * list.
 */
export async function requireSyncedNode(
  call: CallEndpoint,
  url: string,
  { signal, timeout }: ChainRestRequestOptions = {},
): Promise<void> {
  const { chaindServers } = await call(healthEndpoints.getHealth, {}, { signal, timeout, forceRefresh: true })
  if (chaindServers.some(({ isSynced }) => isSynced === true)) return
  throw new ChainRestError({
    code: 'network',
    status: 200,
    method: 'GET',
    url,
    reason: 'the list is empty because the server has no synced node',
    hint: 'Try again later, or use another server: `getHealth` shows the state of its nodes.',
  })
}
