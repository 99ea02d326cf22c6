import type {
  InfiniteQueryObserverOptions,
  Query,
  QueryFunctionContext as CoreContext,
  QueryKey,
  QueryObserverOptions,
} from '@tanstack/query-core'
import { toChainError } from '../errors/chain-error.js'
import { hashQueryKey, QUERY_DEFAULTS, type QueryFunctionContext, type QueryPages } from './options.js'
import { QUERY_FAILED, type AnyPages, type AnyQuery } from './watched-query.js'

/** The settings of all queries. */
export const OWN_DEFAULTS = {
  ...QUERY_DEFAULTS,
  gcTime: 0, // a result is dropped with its last subscriber
  refetchOnMount: false, // a second subscriber costs nothing
  refetchOnWindowFocus: false, // see observe.ts
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
  getNextPageParam: (page, pages) => {
    const next = orThrown(() => query.options.getNextPageParam(page, pages))
    return next instanceof Thrown ? undefined : next
  },
  queryFn(core) {
    const { pageParam } = core as { readonly pageParam: unknown }
    const context = toContext(core, query, (pages) => isKnown(pages) && hasPage(pages, pageParam))
    return attempt(async () => {
      const page = await query.options.queryFn({ ...context, pageParam })
      query.options.getNextPageParam(page, [...pagesBefore(core, pageParam), page]) // where it throws, the page fails
      return page
    })
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
    ...(typeof placeholderData === 'function' && { select: revealing(select) }),
    ...(rendered !== undefined &&
      'data' in rendered && { initialData: rendered.data, initialDataUpdatedAt: rendered.updatedAt }),
  }
}

/** Keeps the result of another network out of a placeholder. */
function toPlaceholder(placeholder: unknown, scope: readonly unknown[]): unknown {
  if (typeof placeholder !== 'function') return placeholder
  const own = hashQueryKey(scope)
  return (previous: unknown, query: Query | undefined): unknown => {
    const known = query !== undefined && hashQueryKey(query.queryKey[0] as QueryKey) === own ? previous : undefined
    return orThrown(() => (placeholder as (previous: unknown) => unknown)(known))
  }
}

/**
 * What a function of the options has thrown, in place of its result. Query-core calls them while it emits: an exception
 * would end the emission, outside every promise.
 */
class Thrown {
  constructor(readonly cause: unknown) {}
}

function orThrown<T>(call: () => T): T | Thrown {
  try {
    return call()
  } catch (cause) {
    return new Thrown(cause)
  }
}

type Select = (result: unknown) => unknown

/** A placeholder that was thrown is the error of the query, until there is a result. */
const reveal: Select = (result) => {
  if (result instanceof Thrown) throw result.cause
  return result
}

/** One for each `select`: query-core selects again where it is another function. */
const revealed = /*#__PURE__*/ new WeakMap<Select, Select>()

function revealing(select: Select | undefined): Select {
  if (select === undefined) return reveal
  const known = revealed.get(select) ?? ((result) => select(reveal(result)))
  revealed.set(select, known)
  return known
}

/** The pages that are known before that of a parameter. */
function pagesBefore({ client, queryKey }: CoreContext, pageParam: unknown): readonly unknown[] {
  const known = client.getQueryState<QueryPages<unknown>>(queryKey)?.data
  if (known === undefined) return []
  const at = known.pageParams.indexOf(pageParam)
  return at === -1 ? known.pages : known.pages.slice(0, at)
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
