import {
  EMPTY,
  Observable,
  Subject,
  concat,
  distinctUntilChanged,
  finalize,
  map,
  of,
  repeat,
  scan,
  startWith,
  switchMap,
  timer,
} from 'rxjs'
import { toChainError, type ChainError } from '../errors/chain-error.js'
import type { ChainRestRequestOptions } from './options.js'

/** State of the query for the current value. */
export interface RestQueryState<T> {
  /** The latest result for this value; undefined before the first. */
  readonly data: T | undefined
  /** Error of the latest attempt; null if it succeeded. */
  readonly error: ChainError | null
  readonly isLoading: boolean
}

/** Fetches the result for a value. Pass `request` on to the operation: it carries the abort signal and `forceRefresh`. */
export type RestQueryFunction<Value, T> = (value: Value, request: ChainRestRequestOptions) => Promise<T>

export interface RestQuery<T> {
  /** Cold: each subscription fetches. Never errors; completes with the values. */
  readonly state$: Observable<RestQueryState<T>>
  /** Fetches again, bypassing the cache; resolves after success or failure, and at once without a subscriber. */
  readonly refetch: () => Promise<void>
}

export interface RestQueryOptions<Value = unknown, T = unknown> {
  /** Fetches again this many ms after each result or failure; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** The server-rendered result for the first value; it is not fetched until a refetch. */
  readonly initialData?: ((value: Value) => T | undefined) | undefined
  /** The server-rendered error for the first value: emitted first, so that hydration matches, then fetched again. */
  readonly initialError?: ((value: Value) => ChainError | undefined) | undefined
}

type RestQueryEvent<T> =
  | { readonly type: 'requested' }
  | { readonly type: 'succeeded'; readonly data: T }
  | { readonly type: 'failed'; readonly error: ChainError }

export const REST_QUERY_IDLE = { data: undefined, error: null, isLoading: false } as const
export const REST_QUERY_LOADING = { data: undefined, error: null, isLoading: true } as const

/**
 * Fetches a result for each value and aborts when the next value arrives. Null and undefined are not fetched. A result
 * stays during a refetch of its value and is never emitted for another value.
 */
export function createRestQuery<Value, T>(
  value$: Observable<Value | null | undefined>,
  query: RestQueryFunction<Value, T>,
  { refetchInterval = 0, initialData, initialError }: RestQueryOptions<Value, T> = {},
): RestQuery<T> {
  const refetch$ = new Subject<() => void>()
  const refetched$ = (value: Value) => attempt$(query, value, true)

  /** The interval begins with the end of an attempt, so a slow server is never aborted by it. */
  const polled$ = (value: Value): Observable<RestQueryEvent<T>> =>
    refetchInterval > 0
      ? timer(refetchInterval).pipe(
          switchMap(() => refetched$(value)),
          repeat(),
        )
      : EMPTY

  function initial$(value: Value): Observable<RestQueryEvent<T>> {
    const [data, error] = [initialData?.(value), initialError?.(value)]
    if (data !== undefined) return of({ type: 'succeeded', data })
    const fetched$ = attempt$(query, value, false)
    return error === undefined ? fetched$ : concat(of({ type: 'failed', error } as const), afterHydration$(fetched$))
  }

  function stateOf$(value: Value, isFirst: boolean): Observable<RestQueryState<T>> {
    const attempts$ = refetch$.pipe(
      map((done) => refetched$(value).pipe(finalize(done))),
      startWith(isFirst ? initial$(value) : attempt$(query, value, false)),
    )
    return attempts$.pipe(
      switchMap((latest$) => concat(latest$, polled$(value))),
      scan(reduceRestQuery<T>, REST_QUERY_LOADING),
    )
  }

  return {
    state$: value$.pipe(
      distinctUntilChanged((before, now) => toKeyText(before) === toKeyText(now)),
      switchMap((value, index) => (isValue(value) ? stateOf$(value, index === 0) : of(REST_QUERY_IDLE))),
    ),
    refetch: () => new Promise((resolve) => (refetch$.observed ? refetch$.next(resolve) : resolve())),
  }
}

/** Subscribes after hydration. */
const afterHydration$ = <T>(source$: Observable<T>): Observable<T> => timer(0).pipe(switchMap(() => source$))

/** The next state of a query. */
export function reduceRestQuery<T>(state: RestQueryState<T>, event: RestQueryEvent<T>): RestQueryState<T> {
  switch (event.type) {
    case 'requested':
      return { ...state, isLoading: true }
    case 'succeeded':
      return { data: event.data, error: null, isLoading: false }
    case 'failed':
      return { ...state, error: event.error, isLoading: false }
  }
}

/** One attempt; unsubscribing aborts it. A synchronous throw of `query` is a failure too. */
function attempt$<Value, T>(
  query: RestQueryFunction<Value, T>,
  value: Value,
  forceRefresh: boolean,
): Observable<RestQueryEvent<T>> {
  return new Observable((subscriber) => {
    const controller = new AbortController()
    subscriber.next({ type: 'requested' })
    const result = new Promise<T>((resolve) => resolve(query(value, { signal: controller.signal, forceRefresh })))
    result.then(
      (data) => {
        subscriber.next({ type: 'succeeded', data })
        subscriber.complete()
      },
      (error: unknown) => {
        subscriber.next({ type: 'failed', error: toChainError(error, 'The query failed') })
        subscriber.complete()
      },
    )
    return () => controller.abort()
  })
}

export const isValue = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

/** Equal for structurally equal values, whatever the order of their fields. */
export const toKeyText = (value: unknown): string | undefined => JSON.stringify(value, (_, item) => toPlain(item))

function toPlain(item: unknown): unknown {
  if (typeof item === 'bigint') return `${item}n`
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
}
