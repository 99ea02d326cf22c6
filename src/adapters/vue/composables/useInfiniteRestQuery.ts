import { computed, type ComputedRef, type MaybeRefOrGetter, type Ref } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { queries } from '../../../engine/features/queries.js'
import type { QueryPages } from '../../../query/options.js'
import { PENDING, type InfiniteQueryState } from '../../../query/watched-query.js'
import { isServer } from '../bridges/render-phase.js'
import { useRenderedStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { type UseInfiniteQueryOptions, toQueryRefs, type UseQueryReturn } from './reactive-query.js'
import {
  useFrameworkRefresh,
  usePrefetched,
  useRestSource,
  type RestClientOption,
  type RestQueryContext,
} from './rest-query.js'

export type UseInfiniteRestQueryOptions<Page, PageParam, Data = QueryPages<Page, PageParam>> = UseInfiniteQueryOptions<
  Page,
  PageParam,
  Data,
  RestQueryContext
> &
  RestClientOption

export interface UseInfiniteRestQueryReturn<Data> extends UseQueryReturn<Data> {
  /** Whether there is a page after the last one fetched. */
  readonly hasNextPage: ComputedRef<boolean>
  readonly isFetchingNextPage: ComputedRef<boolean>
  /** Fetches the page after the last one; resolves after success or failure, and at once where there is none. */
  readonly fetchNextPage: () => Promise<void>
}

/**
 * A list of the indexer in pages, the first of which is fetched once a ref is read. A refetch fetches all pages again,
 * one after the other. Otherwise as `useRestQuery`; a server renders the first page.
 * @example
 * const { data, hasNextPage, fetchNextPage } = useInfiniteRestQuery({
 *   queryKey: ['transactions', address],
 *   queryFn: ({ rest, pageParam }) => rest.getAddressTransactionPage(address.value, { limit: 20, before: pageParam }),
 *   initialPageParam: undefined as number | undefined,
 *   getNextPageParam: (page) => page.before,
 * })
 */
export function useInfiniteRestQuery<Page, PageParam, Data = QueryPages<Page, PageParam>>(
  options: MaybeRefOrGetter<UseInfiniteRestQueryOptions<Page, PageParam, Data>>,
): UseInfiniteRestQueryReturn<Data> {
  type Options = UseInfiniteRestQueryOptions<Page, PageParam, Data>
  const core = useCore('useInfiniteRestQuery')
  const source = useRestSource<QueryPages<Page, PageParam>, Options>(core, 'pages', options)
  const query = feature(core, queries).watchPages<Page, PageParam, Data, RestQueryContext>(source.query$)
  useFrameworkRefresh(query.refetch)
  const unknownState = isServer()
    ? usePrefetched(source.current, async ({ queryFn, initialPageParam }, context) => ({
        pages: [await queryFn({ ...context, pageParam: initialPageParam })],
        pageParams: [initialPageParam],
      }))
    : useRenderedStream(query.state$, PENDING)
  const state = unknownState as Readonly<Ref<InfiniteQueryState<Data>>>
  return {
    ...toQueryRefs(state),
    hasNextPage: computed(() => state.value.hasNextPage),
    isFetchingNextPage: computed(() => state.value.isFetchingNextPage),
    refetch: query.refetch,
    fetchNextPage: query.fetchNextPage,
  }
}
