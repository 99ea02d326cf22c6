import {
  focusManager,
  Query,
  type QueryOptions,
  QueryCache,
  type QueryClient,
  type QueryKey,
} from '@tanstack/query-core'
import { Observable } from 'rxjs'
import type { CachedValue } from './freshness.js'

/** A fetch and its cache key. */
export interface FetchSpec<T> {
  /** Equal keys mean equal responses. */
  readonly key: string
  /** How long an unused response stays cached, in ms; 0: not cached. */
  readonly cacheTime: number
  readonly fetch: (signal: AbortSignal) => Promise<CachedValue<T>>
  /** When the timeout of this caller ends, Unix milliseconds. */
  readonly deadline: number
  /** `deadline` is the longest of all callers that share the fetch. */
  readonly isRetryable: (failures: number, error: unknown, deadline: number) => boolean
  /** In ms. */
  readonly retryDelay: (failures: number, error: unknown) => number
}

/** Fetches in flight, each shared by all callers of one key. */
export interface SharedFetches {
  /**
   * Starts a fetch or joins the one in flight. Cold: emits once and completes, or errors. The fetch is aborted when the
   * last subscriber unsubscribes early.
   */
  fetch$<T>(spec: FetchSpec<T>): Observable<CachedValue<T>>
  /** Resolves when the fetch in flight succeeds or fails; at once if there is none. */
  readonly settled: (key: string) => Promise<void>
  /** Whether the cached value and the fetch in flight were invalidated. */
  readonly isInvalidated: (query: Query | undefined) => boolean
  /** Keeps the result of the fetch in flight out of the cache; its subscribers still receive it. */
  readonly invalidate: (query: Query) => void
}

/** `touch` is called for each response that stays cached. */
export function createSharedFetches(queries: Queries, touch: (key: string, cacheTime: number) => void): SharedFetches {
  const { cache } = queries
  const pending = new WeakMap<Query, Flight>()
  const invalidated = new WeakSet<Query>()

  function join(spec: FetchSpec<unknown>): Query {
    const query = queries.of(spec.key)
    const isNew = query.state.fetchStatus === 'idle'
    if (isNew) invalidated.delete(query)
    const { subscribers = 0, deadline = 0 } = pending.get(query) ?? {}
    const longest = isNew ? spec.deadline : Math.max(deadline, spec.deadline)
    const result = query.fetch(toQueryOptions(spec, () => pending.get(query)?.deadline ?? longest))
    pending.set(query, { result, subscribers: subscribers + 1, deadline: longest })
    return query
  }

  /** The last subscriber's release removes a failure or an uncached response, and cancels a fetch in flight. */
  function release(query: Query, cacheTime: number): void {
    const current = pending.get(query)
    if (current === undefined || --current.subscribers > 0) return
    if (query.state.data === undefined || cacheTime === 0 || invalidated.has(query)) cache.remove(query)
    else if (query.state.fetchStatus !== 'idle') void query.cancel({ revert: true })
    touch(query.queryHash, cacheTime)
  }

  const sharedFetch$ = (spec: FetchSpec<unknown>) =>
    new Observable<unknown>((subscriber) => {
      const query = join(spec)
      // query-core pauses retries while the page is hidden and resumes them in `onFocus`
      const unsubscribeFocus = focusManager.subscribe(() => query.onFocus())
      pending.get(query)?.result.then(
        (result) => {
          subscriber.next(result)
          subscriber.complete()
        },
        (error: unknown) => subscriber.error(error),
      )
      return () => {
        unsubscribeFocus()
        release(query, spec.cacheTime)
      }
    })

  return {
    // the value is the one its own fetch returned
    fetch$: <T>(spec: FetchSpec<T>) => sharedFetch$(spec) as Observable<CachedValue<T>>,
    async settled(key) {
      const query = cache.get(key)
      if (query !== undefined) await Promise.allSettled([pending.get(query)?.result])
    },
    isInvalidated: (query) => query !== undefined && invalidated.has(query),
    invalidate: (query) => invalidated.add(query),
  }
}

/** A fetch that calls share. */
interface Flight {
  readonly result: Promise<unknown>
  /** The longest of its callers, Unix milliseconds. */
  readonly deadline: number
  subscribers: number
}

function toQueryOptions(
  { key, fetch, isRetryable, retryDelay }: FetchSpec<unknown>,
  deadline: () => number,
): QueryOptions {
  return {
    queryKey: [key],
    queryFn: ({ signal }) => fetch(signal),
    retry: (failures, error) => isRetryable(failures, error, deadline()),
    retryDelay,
    networkMode: 'always', // a local indexer needs no network, and `navigator.onLine` is unreliable
    structuralSharing: false, // responses are not compared
    gcTime: Infinity,
  }
}

/** query-core's cache and its queries. */
interface Queries {
  readonly cache: QueryCache
  /** The query of this key, created if missing. */
  of(key: string): Query
}

/**
 * A query needs only the cache of its client. A whole QueryClient would add unused mutations and defaults (2 kB).
 */
export function createQueries(): Queries {
  const cache = new QueryCache()
  const client: Pick<QueryClient, 'getQueryCache'> = { getQueryCache: () => cache }

  function add(key: string): Query {
    // gcTime: freshness.ts removes queries
    const queryKey: QueryKey = [key]
    const query = new Query({ client: client as QueryClient, queryKey, queryHash: key, options: { gcTime: Infinity } })
    cache.add(query)
    return query
  }

  return { cache, of: (key) => cache.get(key) ?? add(key) }
}
