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
import type { ChainRestRequestOptions } from './options.js'

/** What is known of the answer for the present value. */
export interface RestQueryState<T> {
  /** The latest answer for this value; undefined before the first. */
  readonly data: T | undefined
  /** Why the latest attempt failed; null where it did not. */
  readonly error: Error | null
  readonly isLoading: boolean
}

/** What to ask for a value. `request` is to be passed on: it carries the end of interest, and whether to ask anew. */
export type RestQuestion<Value, T> = (value: Value, request: ChainRestRequestOptions) => Promise<T>

export interface RestQuery<T> {
  /** Cold: each subscription asks. Never errors; completes with the values. */
  readonly state$: Observable<RestQueryState<T>>
  /** Asks anew, past the cache; resolves when that has ended, either way, and at once where nobody listens. */
  readonly refetch: () => Promise<void>
}

export interface RestQueryOptions<Value = unknown, T = unknown> {
  /** Asks anew so many ms after each answer or failure; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** The answer for the first value, where a server has rendered it; it is not asked for again until it is refetched. */
  readonly known?: ((value: Value) => T | undefined) | undefined
  /** Why a server could not render the first value's answer: shown first, so that the page is as it came, then asked again. */
  readonly failed?: ((value: Value) => Error | undefined) | undefined
}

type RestQueryEvent<T> =
  | { readonly type: 'asked' }
  | { readonly type: 'answered'; readonly data: T }
  | { readonly type: 'failed'; readonly error: Error }

export const REST_QUERY_IDLE = { data: undefined, error: null, isLoading: false } as const
export const REST_QUERY_LOADING = { data: undefined, error: null, isLoading: true } as const

/**
 * The answer to a question about a value that changes: asked for each value, given up where the next one comes first.
 * Null and undefined are no values. An answer stays while it is fetched anew, and is never shown for another value.
 */
export function createRestQuery<Value, T>(
  value$: Observable<Value | null | undefined>,
  ask: RestQuestion<Value, T>,
  { refetchInterval = 0, known, failed }: RestQueryOptions<Value, T> = {},
): RestQuery<T> {
  const refetch$ = new Subject<() => void>()
  const anew$ = (value: Value) => attempt$(ask, value, true)

  /** The pause begins with the end of an attempt: a server slower than the interval is given its time. */
  const polled$ = (value: Value): Observable<RestQueryEvent<T>> =>
    refetchInterval > 0
      ? timer(refetchInterval).pipe(
          switchMap(() => anew$(value)),
          repeat(),
        )
      : EMPTY

  /** What a server has rendered is taken over as it is. */
  function first$(value: Value): Observable<RestQueryEvent<T>> {
    const [data, error] = [known?.(value), failed?.(value)]
    if (data !== undefined) return of({ type: 'answered', data })
    const asked$ = attempt$(ask, value, false)
    return error === undefined ? asked$ : concat(of({ type: 'failed', error } as const), later$(asked$))
  }

  function stateOf$(value: Value, isFirst: boolean): Observable<RestQueryState<T>> {
    const attempts$ = refetch$.pipe(
      map((done) => anew$(value).pipe(finalize(done))),
      startWith(isFirst ? first$(value) : attempt$(ask, value, false)),
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

/** Once the page stands. */
const later$ = <T>(source$: Observable<T>): Observable<T> => timer(0).pipe(switchMap(() => source$))

/** What the state becomes after `event`. */
export function reduceRestQuery<T>(state: RestQueryState<T>, event: RestQueryEvent<T>): RestQueryState<T> {
  switch (event.type) {
    case 'asked':
      return { ...state, isLoading: true }
    case 'answered':
      return { data: event.data, error: null, isLoading: false }
    case 'failed':
      return { ...state, error: event.error, isLoading: false }
  }
}

/** One attempt; unsubscribing gives it up. What `ask` throws at once is a failure like any other. */
function attempt$<Value, T>(
  ask: RestQuestion<Value, T>,
  value: Value,
  forceRefresh: boolean,
): Observable<RestQueryEvent<T>> {
  return new Observable((subscriber) => {
    const interest = new AbortController()
    subscriber.next({ type: 'asked' })
    const answer = new Promise<T>((resolve) => resolve(ask(value, { signal: interest.signal, forceRefresh })))
    answer.then(
      (data) => {
        subscriber.next({ type: 'answered', data })
        subscriber.complete()
      },
      (error: unknown) => {
        subscriber.next({ type: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
        subscriber.complete()
      },
    )
    return () => interest.abort()
  })
}

/** Null and undefined are no values. */
export const isValue = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

/** Equal for equal values, however they are made, and in whatever order their fields stand. */
export const toKeyText = (value: unknown): string | undefined => JSON.stringify(value, (_, item) => toPlain(item))

function toPlain(item: unknown): unknown {
  if (typeof item === 'bigint') return `${item}n`
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
}
