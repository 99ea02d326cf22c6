import { combineLatest, map, type Observable } from 'rxjs'
import { getCurrentInstance, onServerPrefetch, shallowRef, toValue, type MaybeRefOrGetter, type Ref } from 'vue'
import type { ChainCore } from '../../../engine/core.js'
import { feature } from '../../../engine/feature.js'
import { restClients } from '../../../engine/features/rest.js'
import { toChainError } from '../../../errors/chain-error.js'
import { toFirstState } from '../../../query/first-state.js'
import type { QueryFunctionContext } from '../../../query/options.js'
import { QUERY_FAILED, type InfiniteQueryState, type RenderedResult } from '../../../query/state.js'
import type { AnyPages, AnyQuery, QueryEnvironment } from '../../../query/watched-query.js'
import type { ChainRestClient } from '../../../rest/client.js'
import type { RestOperations } from '../../../rest/endpoints/operations.js'
import type { ChainRestOptions } from '../../../rest/options.js'
import { isHydrating } from '../bridges/is-hydrating.js'
import { toStream } from '../bridges/ref-to-stream.js'
import { unwrapOptions, type MaybeReactive } from './query-options.js'
import { findRendered, storeRendered } from './rest-rendering.js'

/** What the function of an indexer query receives. */
export interface RestQueryContext extends QueryFunctionContext {
  /** The indexer's operations: they abort with the query, and bypass the response cache where it is fetched again. */
  readonly rest: RestOperations
}

/** The option of indexer queries beside those of all queries. */
export interface RestClientOption {
  /** Options of `useChainRest`. */
  readonly rest?: ChainRestOptions | undefined
}

/** A query of the indexer with its current client. */
export interface WatchedRest<T, Options> {
  readonly options: Options & { readonly enabled: boolean }
  readonly environment: QueryEnvironment<RestQueryContext>
  readonly rendered: RenderedResult<T> | undefined
  readonly client: ChainRestClient
}

export interface RestSource<T, Options> {
  /** Emits the query now, and whenever it or the indexer changes. */
  readonly query$: Observable<WatchedRest<T, Options>>
  readonly current: () => WatchedRest<T, Options>
}

/** Queries of different kinds have different results. */
export type RestQueryKind = 'query' | 'pages'

/** The client follows the network. While the component hydrates, the first query comes with the server's result. */
export function useRestSource<T, Options extends MaybeReactive & RestClientOption>(
  core: ChainCore,
  kind: RestQueryKind,
  options: MaybeRefOrGetter<Options>,
): RestSource<T, Options> {
  const clients = feature(core, restClients)
  const { rest } = toValue(options)
  const hasMarkup = isHydrating()
  const watch = (now: Options & { readonly enabled: boolean }, client: ChainRestClient, isFirst: boolean) => ({
    options: now,
    environment: toEnvironment(client, ['rest', clients.idOf(client), kind]),
    rendered: isFirst && hasMarkup ? findRendered<T>(client.cache, kind, now.queryKey) : undefined,
    client,
  })
  return {
    query$: combineLatest([toStream(() => unwrapOptions(options)), clients.client$(rest)]).pipe(
      map(([now, client], index) => watch(now, client, index === 0)),
    ),
    current: () => watch(unwrapOptions(options), clients.current(rest), false),
  }
}

const toEnvironment = (client: ChainRestClient, scope: readonly unknown[]): QueryEnvironment<RestQueryContext> => ({
  scope,
  isAvailable: true,
  toContext: ({ signal, isRepeated }) => ({ rest: client.withOptions({ signal, forceRefresh: isRepeated }) }),
})

/** On a server: the state after the first fetch, for which rendering waits. The result goes to the browser by the cache. */
export function usePrefetched<T, Options extends MaybeReactive>(
  kind: RestQueryKind,
  current: () => WatchedRest<T, Options>,
  fetch: (options: Options, context: RestQueryContext) => Promise<T>,
): Readonly<Ref<InfiniteQueryState<unknown>>> {
  const state = shallowRef(toStateOf(current()))
  if (!getCurrentInstance()) return state
  onServerPrefetch(async () => {
    const query = current()
    if (!query.options.enabled) return
    const rendered = await fetchOnce(query, fetch)
    storeRendered(query.client.cache, kind, query.options.queryKey, rendered)
    state.value = toStateOf({ ...query, rendered })
  })
  return state
}

async function fetchOnce<T, Options extends MaybeReactive>(
  { options, client }: WatchedRest<T, Options>,
  fetch: (options: Options, context: RestQueryContext) => Promise<T>,
): Promise<RenderedResult<T>> {
  const { signal } = new AbortController() // a server has no later request that would replace this one
  try {
    const data = await fetch(options, { queryKey: options.queryKey, signal, rest: client })
    return { data, updatedAt: Date.now() }
  } catch (cause) {
    return { error: toChainError(cause, QUERY_FAILED), updatedAt: Date.now() }
  }
}

// its functions receive what they returned
const toStateOf = (query: object): InfiniteQueryState<unknown> => toFirstState(query as AnyQuery | AnyPages)
