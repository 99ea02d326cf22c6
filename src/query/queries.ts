import {
  Subject,
  catchError,
  defer,
  finalize,
  map,
  merge,
  of,
  switchMap,
  take,
  takeUntil,
  tap,
  type Observable,
  type Subscription,
} from 'rxjs'
import { toChainError } from '../errors/chain-error.js'
import { loadCode, onceLoaded } from '../loading/load-code.js'
import type { ObservedQuery, QueryClientPort } from './client.js'
import type { PollClock } from './observe.js'
import {
  toFirstState,
  toFailed,
  type InfiniteQueryState,
  type QueryState,
  type AnyPages,
  type AnyQuery,
  type WatchedPages,
  type WatchedQuery,
} from './watched-query.js'

/** A watched query. */
export interface Query<State> {
  /**
   * Fetches while there is a subscriber. Emits the state at once, then changes. Never errors, completes with the
   * engine. The result is dropped with the last subscriber of its key.
   */
  readonly state$: Observable<State>
  /** Fetches again, bypassing caches; resolves after success or failure, and at once without a subscriber. */
  readonly refetch: () => Promise<void>
}

/** A watched query of pages. */
export interface InfiniteQuery<State> extends Query<State> {
  /** Fetches the page after the last one; resolves after success or failure, and at once where there is none. */
  readonly fetchNextPage: () => Promise<void>
}

/** The queries of one app. Subscribers of equal keys in equal scopes share the result and its requests. */
export interface Queries {
  /** Watches a query, which may change. */
  watch<T, Data, Context>(query$: Observable<WatchedQuery<T, Data, Context>>): Query<QueryState<Data>>
  /** Watches a query of pages, which may change. */
  watchPages<Page, PageParam, Data, Context>(
    query$: Observable<WatchedPages<Page, PageParam, Data, Context>>,
  ): InfiniteQuery<InfiniteQueryState<Data>>
}

/** Creates the queries of a core. query-core is loaded with the first subscription. */
export function createQueries(lifetime: Subscription, clock: PollClock): Queries {
  const ended$ = new Subject<void>()
  lifetime.add(() => ended$.next())
  const load = onceLoaded(async () => {
    const { createQueryClient } = await loadCode(() => import('./client.js'))
    const client = createQueryClient(clock)
    lifetime.add(() => client.dispose())
    return client
  })

  function open<Watched extends AnyQuery | AnyPages>(
    query$: Observable<Watched>,
    observe$: (client: QueryClientPort) => Observable<ObservedQuery>,
  ): InfiniteQuery<InfiniteQueryState<unknown>> {
    let latest: ObservedQuery | undefined
    const observed$ = defer(load).pipe(
      switchMap(observe$),
      tap((observed) => (latest = observed)),
      map(({ state }) => state),
      catchError((cause: unknown) => of(toFailed(toChainError(cause, 'The query could not be watched')))),
    )
    const afterLoading = async (fetch: () => Promise<void> | undefined): Promise<void> => {
      await load().catch(() => undefined) // the failure is part of the state
      await fetch()
    }
    return {
      state$: merge(query$.pipe(take(1), map(toFirstState)), observed$).pipe(
        takeUntil(ended$),
        finalize(() => (latest = undefined)),
      ),
      refetch: () => afterLoading(() => latest?.refetch()),
      fetchNextPage: () => afterLoading(() => latest?.fetchNextPage()),
    }
  }

  return {
    watch<T, Data, Context>(typed$: Observable<WatchedQuery<T, Data, Context>>) {
      const query$ = typed$ as unknown as Observable<AnyQuery> // its functions receive what they returned
      return open(query$, (client) => client.observe$(query$)) as Query<QueryState<Data>>
    },
    watchPages<Page, PageParam, Data, Context>(typed$: Observable<WatchedPages<Page, PageParam, Data, Context>>) {
      const query$ = typed$ as unknown as Observable<AnyPages> // as above
      return open(query$, (client) => client.observePages$(query$)) as InfiniteQuery<InfiniteQueryState<Data>>
    },
  }
}
