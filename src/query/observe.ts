import {
  Observable,
  EMPTY,
  connect,
  ignoreElements,
  merge,
  switchMap,
  tap,
  timer,
  type MonoTypeOperatorFunction,
} from 'rxjs'
import type { AnyPages, AnyQuery } from './watched-query.js'
import type { Platform } from '../platform/port.js'
import type { QuerySnapshot, RefetchInterval } from './options.js'

/** What both observers of query-core have in common. */
interface Observer<Options, Result, Cached> {
  setOptions(options: Options): void
  subscribe(onResult: () => void): () => void
  getCurrentResult(): Result
  getCurrentQuery(): Cached
}

/** A query in query-core's cache. */
interface CachedQuery {
  readonly state: { readonly data: unknown }
  cancel(options: { readonly revert: boolean }): Promise<void>
  getObserversCount(): number
}

/** Creates the observer of a query, changes its query, and drops a query from the cache. */
interface Access<Query, Options, Result, Cached> {
  readonly create: (query: Query) => Observer<Options, Result, Cached>
  readonly toOptions: (query: Query) => Options
  readonly drop: (query: Cached) => void
}

/** A result of query-core. */
export interface Observed<Result, Query> {
  readonly query: Query
  readonly result: Result
  /** As fetched, before `select`. */
  readonly data: unknown
}

/**
 * The results of the latest query, at once and after each change. Fetches while subscribed. Aborts the fetch in flight
 * when its connection is lost, which would have brought the response. The last subscriber drops the result.
 */
export const observe$ = <Query extends AnyQuery | AnyPages, Options, Result, Cached extends CachedQuery>(
  query$: Observable<Query>,
  { create, toOptions, drop }: Access<Query, Options, Result, Cached>,
): Observable<Observed<Result, Query>> =>
  new Observable((subscriber) => {
    let current: { readonly observer: Observer<Options, Result, Cached>; query: Query } | undefined

    function emit(): void {
      if (current === undefined) return
      const { observer, query } = current
      subscriber.next({ query, result: observer.getCurrentResult(), data: observer.getCurrentQuery().state.data })
    }

    function open(query: Query): void {
      const observer = create(query)
      current = { observer, query }
      subscriber.add(observer.subscribe(emit))
      subscriber.add(() => {
        const cached = observer.getCurrentQuery()
        if (cached.getObserversCount() === 0) drop(cached)
      })
    }

    function apply(query: Query): void {
      if (current === undefined) {
        open(query)
        return
      }
      current.query = query
      current.observer.setOptions(toOptions(query))
      if (!query.environment.isAvailable) void current.observer.getCurrentQuery().cancel({ revert: true })
    }

    subscriber.add(
      query$.subscribe((query) => {
        apply(query)
        emit()
      }),
    )
  })

/** A state of a polled query. */
export interface Polled {
  readonly state: { readonly isFetching: boolean }
  /** Ms from this state to the next fetch; 0: none. */
  readonly interval: number
  /** Fetches again, unless a fetch is in flight. */
  readonly poll: () => void
}

/** The page's timers and visibility. */
export type PollClock = Pick<Platform, 'scheduler' | 'visible$'>

/**
 * Fetches again when the interval after a state has passed, so a slow server never gets a second request. A hidden page
 * does not poll; it fetches at once when it is visible again and the interval has passed.
 */
export const polling = <State extends Polled>({ scheduler, visible$ }: PollClock): MonoTypeOperatorFunction<State> =>
  connect((states$) => {
    const polls$ = states$.pipe(
      switchMap(({ state, interval, poll }) => {
        if (interval === 0 || state.isFetching) return EMPTY
        const due = scheduler.now() + interval
        return visible$.pipe(
          switchMap((isVisible) => (isVisible ? timer(Math.max(0, due - scheduler.now()), scheduler) : EMPTY)),
          tap(poll),
        )
      }),
      ignoreElements(),
    )
    return merge(states$, polls$)
  })

/** The number of ms of an interval after the latest result; 0: none. */
export function toInterval<T>(interval: RefetchInterval<T> | undefined, query: QuerySnapshot<T>): number {
  const ms = typeof interval === 'function' ? interval(query) : interval
  return ms === false ? 0 : (ms ?? 0)
}
