import type { InfiniteQueryOptions, QueryFunctionContext, QueryOptions, QueryPages } from './options.js'
import type { RenderedResult } from './state.js'

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
