import type { MaybeRefOrGetter, Ref } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { queries } from '../../../engine/features/queries.js'
import { PENDING, type QueryState } from '../../../query/watched-query.js'
import { isServer } from '../bridges/render-phase.js'
import { useRenderedStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { type UseQueryOptions, toQueryRefs, type UseQueryReturn } from './reactive-query.js'
import {
  useFrameworkRefresh,
  usePrefetched,
  useRestSource,
  type RestClientOption,
  type RestQueryContext,
} from './rest-query.js'

export type UseRestQueryOptions<T, Data = T> = UseQueryOptions<T, Data, RestQueryContext> & RestClientOption
export type UseRestQueryReturn<Data> = UseQueryReturn<Data>

/**
 * The indexer's result for a key: fetched once a ref is read, and again when the key or the network changes and every
 * `refetchInterval`. Calls of one app with equal keys share result and requests. A server renders the result, and the
 * browser reuses it: in Nuxt by itself, elsewhere by `dehydrateRest` and `hydrateRest`.
 * @example
 * const { data } = useRestQuery({
 *   queryKey: ['balance', address],
 *   queryFn: ({ rest }) => rest.getAddressBalance(address.value),
 * })
 */
export function useRestQuery<T, Data = T>(
  options: MaybeRefOrGetter<UseRestQueryOptions<T, Data>>,
): UseRestQueryReturn<Data> {
  const core = useCore('useRestQuery')
  const source = useRestSource<T, UseRestQueryOptions<T, Data>>(core, 'query', options)
  const { state$, refetch } = feature(core, queries).watch<T, Data, RestQueryContext>(source.query$)
  useFrameworkRefresh(refetch)
  const state = isServer()
    ? usePrefetched(source.current, ({ queryFn }, context) => queryFn(context))
    : useRenderedStream(state$, PENDING)
  return { ...toQueryRefs(state as Readonly<Ref<QueryState<Data>>>), refetch }
}
