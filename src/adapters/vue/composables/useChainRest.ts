import { switchMap } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/feature.js'
import { restClients } from '../../../engine/features/rest.js'
import type { ChainRestClient } from '../../../rest/client.js'
import { deferOperations } from '../../../rest/deferred.js'
import type { RestOperations } from '../../../rest/endpoints/operations.js'
import type { ChainRestOptions } from '../../../rest/options.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'

export interface UseChainRestReturn extends RestOperations, Pick<ChainRestClient, 'cache' | 'clearCache'> {
  /** Where the indexer is. It follows the network, unless it was set. */
  readonly baseUrl: ComputedRef<string>
  /** How many answers are kept. */
  readonly cacheSize: ComputedRef<number>
}

/**
 * The REST client of the network's indexer. Calls of one app share their answers by base URL and headers. It needs neither
 * a node nor WASM, and works on a server. Every operation rejects with `ChainRestError`.
 */
export function useChainRest(options?: ChainRestOptions): UseChainRestReturn {
  const clients = feature(useCore('useChainRest'), restClients)
  const client$ = clients.client$(options)
  const client = useStream(client$, clients.now(options))
  const changes = useStream(client$.pipe(switchMap(({ cacheSize$ }) => cacheSize$)), 0)
  return {
    ...deferOperations(() => Promise.resolve(client.value)),
    baseUrl: computed(() => client.value.baseUrl),
    // counted when it is read, for on a server nothing tells of changes
    cacheSize: computed(() => (changes.value >= 0 ? client.value.cacheSize : 0)),
    cache: {
      peek: (key) => client.value.cache.peek(key),
      entries: () => client.value.cache.entries(),
      put: (entries) => client.value.cache.put(entries),
    },
    clearCache: (prefix) => client.value.clearCache(prefix),
  }
}
