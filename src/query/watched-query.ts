import type { InfiniteQueryOptions, QueryFunctionContext, QueryOptions, QueryPages } from './options.js'
import { toChainError, type ChainError } from '../errors/chain-error.js'

/** One attempt to fetch. */
export interface Attempt {
  readonly signal: AbortSignal
  /** Whether the same was fetched before, so that caches are to be bypassed. */
  readonly isRepeated: boolean
}

/** Where the result of a query is valid, and what its function receives. */
export interface QueryEnvironment<Context> {
  /** Kind of server, and network: results are not shared between scopes. */
  readonly scope: readonly unknown[]
  /** Whether there is a connection. Without one nothing is fetched, and the attempt in flight is aborted. */
  readonly isAvailable: boolean
  /** The part of the context beside key, signal and page parameter. */
  readonly toContext: (attempt: Attempt) => Omit<Context, keyof QueryFunctionContext | 'pageParam'>
}

interface Watched<T, Options, Context> {
  readonly options: Options
  readonly environment: QueryEnvironment<Context>
  /** The result in a server-rendered page. Data are not fetched again until a refetch. */
  readonly rendered?: RenderedResult<T> | undefined
}

/** A query to watch. */
export type WatchedQuery<T, Data, Context> = Watched<T, QueryOptions<T, Data, Context>, Context>

/** A query of pages to watch. */
export type WatchedPages<Page, PageParam, Data, Context> = Watched<
  QueryPages<Page, PageParam>,
  InfiniteQueryOptions<Page, PageParam, Data, Context>,
  Context
>

/** A query whose types are known to its caller only. */
export type AnyQuery = WatchedQuery<unknown, unknown, object>

/** A query of pages whose types are known to its caller only. */
export type AnyPages = WatchedPages<unknown, unknown, unknown, object>

/** `pending`: no result yet. `success`, `error`: the outcome of the latest attempt. */
export type QueryStatus = 'pending' | 'error' | 'success'

/** A query and its latest result, in the names of TanStack Query. */
export interface QueryState<Data> {
  readonly status: QueryStatus
  /** The latest result, undefined before the first. A failure keeps it; another key drops it. */
  readonly data: Data | undefined
  /** Why the latest attempt failed; otherwise null. */
  readonly error: ChainError | null
  /** Whether a request is in flight. */
  readonly isFetching: boolean
  /** When the result was fetched, Unix ms; 0 before the first. */
  readonly dataUpdatedAt: number
}

/** A query of pages. */
export interface InfiniteQueryState<Data> extends QueryState<Data> {
  /** Whether there is a page after the last one fetched. */
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
}

/** A result in a server-rendered page. */
export type RenderedResult<T> =
  | { readonly data: T; readonly updatedAt: number }
  | { readonly error: ChainError; readonly updatedAt: number }

export const QUERY_FAILED = 'The query failed'

export const PENDING: InfiniteQueryState<never> = {
  status: 'pending',
  data: undefined,
  error: null,
  isFetching: false,
  dataUpdatedAt: 0,
  hasNextPage: false,
  isFetchingNextPage: false,
}

/** The state after a failed attempt, without a result. */
export const toFailed = (cause: unknown): InfiniteQueryState<never> => ({
  ...PENDING,
  status: 'error',
  error: toChainError(cause, QUERY_FAILED),
})

/** The state before the first attempt: the rendered result, else the placeholder. */
export function toFirstState({ options, environment, rendered }: AnyQuery | AnyPages): InfiniteQueryState<unknown> {
  const { enabled = true, placeholderData, select } = options
  if (rendered !== undefined && 'error' in rendered) return toFailed(rendered.error)
  if (rendered !== undefined) {
    const hasNextPage = 'getNextPageParam' in options && isOpen(options, rendered.data as Pages)
    return { ...toSelected(() => rendered.data, select as Select), dataUpdatedAt: rendered.updatedAt, hasNextPage }
  }
  const toPlaceholder = (): unknown =>
    typeof placeholderData === 'function'
      ? (placeholderData as (previous: unknown) => unknown)(undefined)
      : placeholderData
  return { ...toSelected(toPlaceholder, select as Select), isFetching: enabled && environment.isAvailable }
}

type Pages = Parameters<NonNullable<AnyPages['options']['select']>>[0]
type Select = AnyQuery['options']['select']

function isOpen({ getNextPageParam }: AnyPages['options'], { pages }: Pages): boolean {
  try {
    const next = getNextPageParam(pages.at(-1), pages)
    return next !== undefined && next !== null
  } catch {
    return false // as the query itself has it: the page is there, and a refetch fails
  }
}

function toSelected(read: () => unknown, select: Select): InfiniteQueryState<unknown> {
  try {
    const result = read()
    if (result === undefined) return PENDING
    return { ...PENDING, status: 'success', data: select === undefined ? result : select(result) }
  } catch (cause) {
    return toFailed(cause)
  }
}
