import { toChainError, type ChainError } from '../errors/chain-error.js'

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
