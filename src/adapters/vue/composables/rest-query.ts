import { map, switchMap, type Observable } from 'rxjs'
import {
  getCurrentInstance,
  inject,
  onScopeDispose,
  onServerPrefetch,
  shallowRef,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue'
import { type CoreParts, feature } from '../../../engine/core-parts.js'
import { restClients } from '../../../engine/features/rest.js'
import { toChainError } from '../../../errors/chain-error.js'
import {
  toFirstState,
  QUERY_FAILED,
  type InfiniteQueryState,
  type RenderedResult,
  type AnyPages,
  type AnyQuery,
  type QueryEnvironment,
} from '../../../query/watched-query.js'
import type { QueryFunctionContext } from '../../../query/options.js'
import type { ChainRestClient } from '../../../rest/client.js'
import type { RestOperations } from '../../../rest/endpoints/operations.js'
import type { ChainRestOptions } from '../../../rest/options.js'
import { isHydrating, isServer } from '../bridges/render-phase.js'
import { toStream } from '../bridges/stream-refs.js'
import { HYDRATION, renderingBy, renderingInCache, type RenderedKey, type Rendering } from '../plugin/hydration.js'
import { unwrapOptions, type MaybeReactive } from './reactive-query.js'

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
  readonly rendering: Rendering
  readonly key: RenderedKey
}

export interface RestSource<T, Options> {
  /** Emits the query now, and whenever it or the indexer changes. */
  readonly query$: Observable<WatchedRest<T, Options>>
  readonly current: () => WatchedRest<T, Options>
}

/** Queries of different kinds have different results. */
export type RestQueryKind = 'query' | 'pages'

/**
 * The client follows the network and the option `rest`, such as the headers of another user. While the component
 * hydrates, the first query comes with the server's result.
 */
export function useRestSource<T, Options extends MaybeReactive & RestClientOption>(
  core: CoreParts,
  kind: RestQueryKind,
  options: MaybeRefOrGetter<Options>,
): RestSource<T, Options> {
  const clients = feature(core, restClients)
  const store = inject(HYDRATION, undefined)
  const hasMarkup = isHydrating()
  function watch(now: Options & { readonly enabled: boolean }, client: ChainRestClient, isFirst: boolean) {
    const key = { kind, queryKey: now.queryKey, baseUrl: now.rest?.baseUrl }
    const rendering = store === undefined ? renderingInCache(client.cache) : renderingBy(store)
    const rendered = isFirst ? rendering.find(key, hasMarkup) : undefined
    return {
      options: now,
      environment: toEnvironment(client, ['rest', clients.idOf(client), kind]),
      rendered: rendered as RenderedResult<T> | undefined, // stored under this key
      client,
      rendering,
      key,
    }
  }
  return {
    query$: toStream(() => unwrapOptions(options)).pipe(
      switchMap((now) => clients.client$(now.rest).pipe(map((client) => ({ now, client })))),
      map(({ now, client }, index) => watch(now, client, index === 0)),
    ),
    current: () => {
      const now = unwrapOptions(options)
      return watch(now, clients.current(now.rest), false)
    },
  }
}

const toEnvironment = (client: ChainRestClient, scope: readonly unknown[]): QueryEnvironment<RestQueryContext> => ({
  scope,
  isAvailable: true,
  toContext: ({ signal, isRepeated }) => ({ rest: client.withOptions({ signal, forceRefresh: isRepeated }) }),
})

/** Refetches whenever the framework that rendered the page refetches its data. */
export function useFrameworkRefresh(refetch: () => Promise<void>): void {
  const end = isServer() ? undefined : inject(HYDRATION, undefined)?.onRefresh(refetch)
  if (end !== undefined) onScopeDispose(end, true)
}

/**
 * On a server: the state after the first fetch, for which rendering waits. The result goes to the browser with the
 * page.
 */
export function usePrefetched<T, Options extends MaybeReactive>(
  current: () => WatchedRest<T, Options>,
  fetch: (options: Options, context: RestQueryContext) => Promise<T>,
): Readonly<Ref<InfiniteQueryState<unknown>>> {
  const state = shallowRef(toStateOf(current()))
  if (!getCurrentInstance()) return state
  onServerPrefetch(async () => {
    const query = current()
    if (!query.options.enabled) return
    const rendered = await fetchOnce(query, fetch)
    query.rendering.store(query.key, rendered)
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
