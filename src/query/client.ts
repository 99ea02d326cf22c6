import {
  InfiniteQueryObserver,
  QueryClient,
  QueryObserver,
  type InfiniteData,
  type InfiniteQueryObserverResult,
  type Query,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { distinctUntilChanged, map, pipe, type Observable, type OperatorFunction } from 'rxjs'
import { toChainError } from '../errors/chain-error.js'
import { OWN_DEFAULTS, toObserverOptions, toPagesOptions } from './observer-options.js'
import type { RefetchInterval } from './options.js'
import { observe$, type Observed, polling, toInterval, type PollClock, type Polled } from './observe.js'
import { PENDING, QUERY_FAILED, type InfiniteQueryState, type AnyPages, type AnyQuery } from './watched-query.js'

/** The state of a query, and its methods, which never reject. */
export interface ObservedQuery extends Polled {
  readonly state: InfiniteQueryState<unknown>
  readonly refetch: () => Promise<void>
  /** Does nothing for a query without pages. */
  readonly fetchNextPage: () => Promise<void>
}

/**
 * Queries on query-core. A query is fetched while there are subscribers; those of one key share result and requests.
 */
export interface QueryClientPort {
  readonly observe$: (query$: Observable<AnyQuery>) => Observable<ObservedQuery>
  readonly observePages$: (query$: Observable<AnyPages>) => Observable<ObservedQuery>
  readonly dispose: () => void
}

export function createQueryClient(clock: PollClock): QueryClientPort {
  const client = new QueryClient({ defaultOptions: { queries: OWN_DEFAULTS } })
  const cache = client.getQueryCache()
  const query = {
    create: (watched: AnyQuery) => new QueryObserver(client, toObserverOptions(watched)),
    toOptions: toObserverOptions,
    drop: (cached: Query) => cache.remove(cached),
  }
  const pages = {
    create: (watched: AnyPages) => new InfiniteQueryObserver(client, toPagesOptions(watched)),
    toOptions: toPagesOptions,
    drop: (cached: CachedPages) => cache.remove(cached),
  }
  return {
    observe$: (query$) => observe$(query$, query).pipe(toObserved(toNoPages), polling(clock)),
    observePages$: (query$) => observe$(query$, pages).pipe(toObserved(toPages), polling(clock)),
    dispose: () => client.clear(),
  }
}

type CachedPages = Query<unknown, Error, InfiniteData<unknown>>

/** What a query of pages has beside the state of a query. */
type PageFields = Pick<InfiniteQueryState<unknown>, 'hasNextPage' | 'isFetchingNextPage'> &
  Pick<ObservedQuery, 'fetchNextPage'>

const toNoPages = (): PageFields => ({ ...PENDING, fetchNextPage: () => Promise.resolve() })

const toPages = (result: InfiniteQueryObserverResult): PageFields => ({
  hasNextPage: result.hasNextPage,
  isFetchingNextPage: result.isFetchingNextPage,
  fetchNextPage: () => (result.hasNextPage ? settle(result.fetchNextPage()) : Promise.resolve()),
})

/** The states that differ, with their methods. */
function toObserved<Result extends QueryObserverResult>(
  toPageFields: (result: Result) => PageFields,
): OperatorFunction<Observed<Result, AnyQuery | AnyPages>, ObservedQuery> {
  return pipe(
    map(({ query, result, data }) => {
      const { fetchNextPage, ...pages } = toPageFields(result)
      return {
        state: { ...toState(result), hasNextPage: pages.hasNextPage, isFetchingNextPage: pages.isFetchingNextPage },
        interval: result.isEnabled ? intervalOf(query, data) : 0,
        refetch: () => settle(result.refetch()),
        poll: () => void settle(result.refetch({ cancelRefetch: false })),
        fetchNextPage,
      }
    }),
    distinctUntilChanged(
      (before, now) =>
        before.interval === now.interval && FIELDS.every((name) => Object.is(before.state[name], now.state[name])),
    ),
  )
}

const intervalOf = ({ options }: AnyQuery | AnyPages, data: unknown): number =>
  // a function receives the result of its own query
  toInterval(options.refetchInterval as RefetchInterval<unknown>, { state: { data } })

const FIELDS = /*#__PURE__*/ Object.keys(PENDING) as (keyof InfiniteQueryState<unknown>)[]

const toState = ({ status, data, error, isFetching, dataUpdatedAt }: QueryObserverResult) => ({
  status,
  data,
  error: error === null ? null : toChainError(error, QUERY_FAILED),
  isFetching,
  dataUpdatedAt,
})

/** Waits for the end of a fetch, whose failure is part of the state. */
const settle = (fetching: Promise<unknown>): Promise<void> =>
  fetching.then(
    () => undefined,
    () => undefined,
  )
