import { distinctUntilChanged, map, startWith, type Observable } from 'rxjs'
import { createSentIds, type SentIds } from '../model/bounded-collections.js'
import { ChainRestError } from '../errors/rest-error.js'
import { createSharedCache, type SharedCache } from './shared-cache.js'
import type { RestCache } from './requests/store.js'
import type { RestOperations } from './endpoints/operations.js'
import { loadCode, onceLoaded } from '../loading/load-code.js'
import type { LoadedOperations } from './operations.js'
import { toSettings, type ChainRestOptions, type SharedRequestOptions, type RestPlatform } from './options.js'
import { withFailedOutcome } from '../errors/with-outcome.js'
import { lazyMethods } from '../loading/lazy-methods.js'

/**
 * A client of one REST indexer with a response cache. Concurrent equal calls share one request. Returned records are
 * shared with the cache and must not be mutated. Needs neither a node nor WASM.
 */
export interface ChainRestClient extends RestOperations {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** How many responses are cached. */
  readonly cacheSize: number
  /** State stream of `cacheSize`: emits the current value, then changes. Never errors. */
  readonly cacheSize$: Observable<number>
  /**
   * Removes all responses, or those whose path, URL or `cacheKey` begins with `prefix`. Their next requests bypass HTTP
   * caches too.
   */
  readonly clearCache: (prefix?: string) => void
  /**
   * The operations with these options for every call, such as one `signal` for several; options of a call come first.
   */
  readonly withOptions: (options: SharedRequestOptions) => RestOperations
  /** The cached responses, for `dehydrateRest` and `hydrateRest`. */
  readonly cache: RestCache
  /** Clears the cache and rejects calls in flight with `aborted`, later ones with `disposed`. */
  readonly dispose: () => void
}

/**
 * Creates a client. Sends nothing before the first call; throws `ChainError` (`invalid-option`) for an invalid option.
 * @example
 * const client = createRestClient({ network: 'mainnet' })
 * const { balanceExact } = await client.getAddressBalance('kaspa:…')
 */
export function createRestClient(options?: ChainRestOptions, platform?: RestPlatform): ChainRestClient {
  return createClientOn(createSharedCache(), options, platform)
}

/** A client on a cache that clients of the same base URL and headers may share; `sentIds` are those of its engine. */
export function createClientOn(
  cache: SharedCache,
  options?: ChainRestOptions,
  platform: RestPlatform = {},
  sentIds: SentIds = createSentIds(),
): ChainRestClient {
  const settings = toSettings(options)
  const { baseUrl, shownUrl } = settings
  const request: typeof fetch = (...args) => (settings.fetcher ?? platform.fetch ?? globalThis.fetch)(...args)
  const size = () => cache.entries().length

  function clearCache(prefix = ''): void {
    const path = prefix.startsWith(baseUrl) ? prefix.slice(baseUrl.length) : prefix
    cache.clear(path)
  }

  function throwIfDisposed(): void {
    if (cache.isDisposed()) throw disposed(shownUrl)
  }

  /** Loads nearly all of the client's code with the first call. */
  async function loadOperations(): Promise<LoadedOperations> {
    const { createOperations, createStore } = await loadCode(() => import('./operations.js'))
    const store = cache.openStore(createStore)
    return createOperations({ settings, store, request, platform, clearCache, isCleared: cache.isCleared, sentIds })
  }

  const load = onceLoaded(loadOperations)
  return {
    ...deferOperations(async () => (await load()).operations, throwIfDisposed),
    withOptions: (shared) => deferOperations(async () => (await load()).withOptions(shared), throwIfDisposed),
    baseUrl,
    get cacheSize() {
      return size()
    },
    cacheSize$: cache.changed$.pipe(startWith(undefined), map(size), distinctUntilChanged()),
    clearCache,
    cache,
    dispose: cache.dispose,
  }
}

const disposed = (url: string): ChainRestError =>
  new ChainRestError({
    code: 'disposed',
    method: 'GET',
    url,
    reason: 'the client was disposed',
    hint: 'Create a new client.',
  })

/**
 * All operations, whose code is loaded with the first call. `check` runs with each call and may throw, which rejects
 * the call. The outcome of a submission that neither reaches is `unknown`: an earlier process may have sent the
 * transaction.
 */
function deferOperations(load: () => Promise<RestOperations>, check: () => void): RestOperations {
  const checked = async <T>(run: () => Promise<T>): Promise<T> => {
    check()
    await Promise.resolve() // a `dispose()` of the same tick comes before the request
    return run()
  }
  return {
    ...lazyMethods(OPERATION_NAMES, load, (name, run) =>
      name === 'submitTransaction' ? withFailedOutcome('unknown', () => checked(run)) : checked(run),
    ),
    async *getFullTransactionsByAddressPages(...args) {
      check()
      yield* (await load()).getFullTransactionsByAddressPages(...args)
    },
  }
}

/** The operations of a client before they are loaded. A type test checks that none is missing. */
export const OPERATION_NAMES = [
  'calculateTransactionMass',
  'getAddressBalance',
  'getAddressBalanceHistory',
  'getAddressDistribution',
  'getAddressName',
  'getAddressNames',
  'getAddressTransactionCount',
  'getAddressTransactionPage',
  'getAddressesActive',
  'getAddressesActiveCount',
  'getAddressesActiveCountFor',
  'getBalancesByAddresses',
  'getBlock',
  'getBlockDag',
  'getBlockReward',
  'getBlocks',
  'getBlocksFromBlueScore',
  'getChaindInfo',
  'getCirculatingCoins',
  'getCoinSupply',
  'getFeeEstimate',
  'getFullTransactionsByAddress',
  'getFullTransactionsByAddressPage',
  'getHalving',
  'getHashrate',
  'getHashrateHistory',
  'getHashrateHistoryFor',
  'getHealth',
  'getMarketData',
  'getMarketcap',
  'getMaxHashrate',
  'getNetwork',
  'getPrice',
  'getTopAddresses',
  'getTotalCoins',
  'getTransaction',
  'getTransactionAcceptance',
  'getTransactionById',
  'getTransactionsCount',
  'getTransactionsCountFor',
  'getUtxoCountByAddress',
  'getUtxosByAddress',
  'getUtxosByAddresses',
  'getVirtualChain',
  'getVirtualChainFromBlock',
  'getVirtualSelectedParentBlueScore',
  'request',
  'searchTransactions',
  'submitTransaction',
] as const satisfies readonly (keyof RestOperations)[]
