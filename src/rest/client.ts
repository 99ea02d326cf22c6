import { distinctUntilChanged, map, startWith, type Observable } from 'rxjs'
import { createAnswers, type Answers } from './answers.js'
import type { RestCache } from './asking/store.js'
import { deferOperations } from './deferred.js'
import type { RestOperations } from './endpoints/operations.js'
import { loadedOnce } from './loaded.js'
import { toSettings, type ChainRestOptions } from './options.js'
import type { RestPlatform } from './platform.js'

/**
 * A client of one REST indexer, with the answers it keeps. Equal questions at a time are one request; records handed out
 * are shared with the cache and are not to be changed. Needs neither a node nor WASM.
 */
export interface ChainRestClient extends RestOperations {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** How many answers are kept. */
  readonly cacheSize: number
  /** The same as a stream: the present number at once, then changes. Never errors. */
  readonly cacheSize$: Observable<number>
  /** Forgets every answer, or those whose path, URL or `cacheKey` begins with `prefix`. */
  readonly clearCache: (prefix?: string) => void
  /** The kept answers themselves: what a server-rendered page hands on to the browser. */
  readonly cache: RestCache
  /** Forgets everything, and ends what is under way with `aborted`. */
  readonly dispose: () => void
}

/**
 * Makes a client. Asks nothing until it is asked; throws `ChainError` (`invalid-option`) for a bad option.
 * @example
 * const rest = createRestClient({ network: 'mainnet' })
 * const { balanceExact } = await rest.getAddressBalance('kaspa:…')
 */
export function createRestClient(options?: ChainRestOptions, platform?: RestPlatform): ChainRestClient {
  return createClientOn(createAnswers(), options, platform)
}

/** A client whose answers others may share: those of the same base URL and headers. */
export function createClientOn(
  answers: Answers,
  options?: ChainRestOptions,
  platform: RestPlatform = {},
): ChainRestClient {
  const settings = toSettings(options)
  const { baseUrl } = settings
  const request: typeof fetch = (...args) => (settings.fetcher ?? platform.fetch ?? globalThis.fetch)(...args)
  const sizeNow = () => answers.entries().length

  function clearCache(prefix = ''): void {
    const path = prefix.startsWith(baseUrl) ? prefix.slice(baseUrl.length) : prefix
    answers.remove((key) => key.replace(/^(GET|POST) /, '').startsWith(path))
  }

  /** All that only a question needs: nearly all of the client's weight. */
  async function loadOperations(): Promise<RestOperations> {
    const { createOperations, createStore } = await import('./operations.js')
    return createOperations({ settings, store: answers.open(createStore), request, platform, clearCache })
  }

  return {
    ...deferOperations(loadedOnce(loadOperations, baseUrl)),
    baseUrl,
    get cacheSize() {
      return sizeNow()
    },
    cacheSize$: answers.changed$.pipe(startWith(undefined), map(sizeNow), distinctUntilChanged()),
    clearCache,
    cache: answers,
    dispose: answers.dispose,
  }
}
