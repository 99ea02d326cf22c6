import { switchMap } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { restClients } from '../../../engine/features/rest.js'
import { lateMethods } from '../../../loading/lazy-methods.js'
import { type ChainRestClient, OPERATION_NAMES } from '../../../rest/client.js'
import type { RestOperations } from '../../../rest/endpoints/operations.js'
import type { ChainRestOptions } from '../../../rest/options.js'
import { useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UseChainRestReturn extends RestOperations, Pick<ChainRestClient, 'cache' | 'clearCache'> {
  /** URL of the indexer. Follows the network, unless it was set. */
  readonly baseUrl: ComputedRef<string>
  /** Number of cached responses. */
  readonly cacheSize: ComputedRef<number>
}

/**
 * The REST client of the network's indexer. Calls of one app share cached responses by base URL and headers. Needs
 * neither a node nor WASM, and works on a server. Every operation rejects with `ChainRestError`.
 */
export function useChainRest(options?: ChainRestOptions): UseChainRestReturn {
  const clients = feature(useCore('useChainRest'), restClients)
  const client$ = clients.client$(options)
  const client = useStream(client$, clients.current(options))
  const changes = useStream(client$.pipe(switchMap(({ cacheSize$ }) => cacheSize$)), 0)
  return {
    ...lateMethods(NAMES, () => client.value),
    baseUrl: computed(() => client.value.baseUrl),
    // read from the client: on a server no change is emitted
    cacheSize: computed(() => (changes.value >= 0 ? client.value.cacheSize : 0)),
    cache: {
      peek: (key) => client.value.cache.peek(key),
      entries: () => client.value.cache.entries(),
      put: (entries) => client.value.cache.put(entries),
    },
    clearCache: (prefix) => client.value.clearCache(prefix),
  }
}

const NAMES = /*#__PURE__*/ (() => [...OPERATION_NAMES, 'getFullTransactionsByAddressPages'] as const)()
