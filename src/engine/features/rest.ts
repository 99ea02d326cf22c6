import { distinctUntilChanged, map, type Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import { createSharedCache, type SharedCache } from '../../rest/shared-cache.js'
import { createClientOn, type ChainRestClient } from '../../rest/client.js'
import { restUrlOf, type ChainRestOptions } from '../../rest/options.js'
import { type CoreParts, feature } from '../core-parts.js'
import { sentIds } from './own-payments.js'
import { trimEnd } from '../../model/trim-end.js'

/** The REST clients of a core. Clients with equal base URL and headers share a response cache. */
export interface RestClients {
  /** The client for the current network. */
  readonly current: (options?: ChainRestOptions) => ChainRestClient
  /** The client for the current network, then a new one for each network, unless a base URL is set. */
  readonly client$: (options?: ChainRestOptions) => Observable<ChainRestClient>
  /** Equal for clients of equal base URL and headers. */
  readonly idOf: (client: ChainRestClient) => number
  /** The caches with their base URLs; current at every read. */
  readonly caches: () => readonly { readonly baseUrl: string; readonly cache: SharedCache }[]
}

/** Creates REST clients; their caches are disposed with the core. */
export function restClients(core: CoreParts): RestClients {
  const caches = new Map<string, SharedCache>()
  core.lifetime.add(() => caches.forEach((cache) => cache.dispose()))

  function cacheOf(options: ChainRestOptions): SharedCache {
    const key = JSON.stringify([trimEnd(options.baseUrl ?? '', '/'), [...new Headers(options.headers)]])
    const cache = caches.get(key) ?? createSharedCache()
    caches.set(key, cache)
    if (core.lifetime.closed) cache.dispose() // so that its client rejects every request
    return cache
  }

  const clientOf = (options: ChainRestOptions): ChainRestClient =>
    createClientOn(cacheOf(options), options, { ...core.platform, onRest: core.probe?.rest }, feature(core, sentIds))

  return {
    current: (options) => clientOf(resolve(core, core.options.network, options)),
    client$: (options) =>
      core.network$.pipe(
        map((network) => resolve(core, network, options)),
        distinctUntilChanged(
          (before, current) => before.baseUrl === current.baseUrl && before.network === current.network,
        ),
        map(clientOf),
      ),
    idOf: (client) => [...caches.values()].findIndex((cache) => cache === client.cache),
    caches: () => Array.from(caches, ([key, cache]) => ({ baseUrl: baseUrlOf(key), cache })),
  }
}

const baseUrlOf = (key: string): string => (JSON.parse(key) as [baseUrl: string])[0]

/** Options of the call, then of the core, then the network's default. A base URL of the call may serve any network. */
function resolve({ options }: CoreParts, network: ChainNetwork, given: ChainRestOptions = {}): ChainRestOptions {
  const baseUrl = given.baseUrl ?? options.restUrl ?? options.rest?.baseUrl ?? restUrlOf(network)
  return {
    ...options.rest,
    ...given,
    baseUrl,
    network: given.network ?? (given.baseUrl === undefined ? network : undefined),
  }
}
