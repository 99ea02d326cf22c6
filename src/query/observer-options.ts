import type {
  InfiniteQueryObserverOptions,
  Query,
  QueryFunctionContext as CoreContext,
  QueryKey,
  QueryObserverOptions,
} from '@tanstack/query-core'
import { toChainError } from '../errors/chain-error.js'
import { hashQueryKey } from './key.js'
import { QUERY_DEFAULTS, type QueryFunctionContext, type QueryPages } from './options.js'
import { QUERY_FAILED } from './state.js'
import type { AnyPages, AnyQuery } from './watched-query.js'

/** The settings of all queries. */
export const OWN_DEFAULTS = {
  ...QUERY_DEFAULTS,
  gcTime: 0, // a result is dropped with its last subscriber
  refetchOnMount: false, // a second subscriber costs nothing
  refetchOnWindowFocus: false, // see poll.ts
} as const

type PagesOptions = InfiniteQueryObserverOptions<unknown, Error, unknown>

/** A query in the options of query-core. */
export const toObserverOptions = (query: AnyQuery): QueryObserverOptions => ({
  ...toCommonOptions(query),
  queryFn: (core) => attempt(() => query.options.queryFn(toContext(core, query, isKnown))),
})

/** A query of pages in the options of query-core. */
export const toPagesOptions = (query: AnyPages): PagesOptions => ({
  ...(toCommonOptions(query as unknown as AnyQuery) as Omit<PagesOptions, keyof PageOptions>), // the results are pages
  initialPageParam: query.options.initialPageParam,
  getNextPageParam: (page, pages) => query.options.getNextPageParam(page, pages),
  queryFn(core) {
    const { pageParam } = core as { readonly pageParam: unknown }
    const context = toContext(core, query, (pages) => isKnown(pages) && hasPage(pages, pageParam))
    return attempt(() => query.options.queryFn({ ...context, pageParam }))
  },
})

type PageOptions = Pick<PagesOptions, 'initialPageParam' | 'getNextPageParam'>

function toCommonOptions({ options, environment, rendered }: AnyQuery): QueryObserverOptions {
  const { queryKey, enabled = true, select, placeholderData } = options
  return {
    queryKey: [environment.scope, queryKey],
    enabled: enabled && environment.isAvailable,
    ...(select !== undefined && { select }),
    ...(placeholderData !== undefined && { placeholderData: toPlaceholder(placeholderData, environment.scope) }),
    ...(rendered !== undefined &&
      'data' in rendered && { initialData: rendered.data, initialDataUpdatedAt: rendered.updatedAt }),
  }
}

/** Keeps the result of another network out of a placeholder. */
function toPlaceholder(placeholder: unknown, scope: readonly unknown[]): unknown {
  if (typeof placeholder !== 'function') return placeholder
  const own = hashQueryKey(scope)
  return (previous: unknown, query: Query | undefined): unknown =>
    (placeholder as (previous: unknown) => unknown)(
      query !== undefined && hashQueryKey(query.queryKey[0] as QueryKey) === own ? previous : undefined,
    )
}

/** The context of a query function. Reading `signal` makes query-core abort it with the last subscriber. */
function toContext(
  { client, queryKey, signal }: CoreContext,
  { options, environment }: AnyQuery | AnyPages,
  isFetched: (result: unknown) => boolean,
): object & QueryFunctionContext {
  const { data, errorUpdateCount = 0 } = client.getQueryState(queryKey) ?? {}
  const isRepeated = isFetched(data) || errorUpdateCount > 0
  return { ...environment.toContext({ signal, isRepeated }), queryKey: options.queryKey, signal }
}

const isKnown = (result: unknown): boolean => result !== undefined

const hasPage = (pages: unknown, pageParam: unknown): boolean =>
  (pages as QueryPages<unknown>).pageParams.includes(pageParam) // the result of a query of pages

/** Other errors than those of this library are wrapped, also those thrown synchronously. */
async function attempt<T>(fetch: () => Promise<T>): Promise<T> {
  try {
    return await fetch()
  } catch (cause) {
    throw toChainError(cause, QUERY_FAILED)
  }
}
