import { focusManager, type Query, type QueryOptions } from '@tanstack/query-core'
import { Observable } from 'rxjs'
import type { Kept } from './freshness.js'
import type { Queries } from './queries.js'

/** What is asked for: under which key the answer lies, and how a new one is fetched. */
export interface Wanted<T> {
  /** Equal keys mean equal answers. */
  readonly key: string
  /** How long the answer is kept while nobody asks for it, in ms; 0: not at all. */
  readonly kept: number
  readonly fetch: (signal: AbortSignal) => Promise<Kept<T>>
  readonly isWorthRetry: (failures: number, error: unknown) => boolean
  /** In ms. */
  readonly retryDelay: (failures: number, error: unknown) => number
}

/** Fetches under way, each shared by all who want the same. */
export interface Flights {
  /**
   * A new answer, or the one that is on its way already. Cold: emits it once and completes, or errors. The fetch itself
   * is aborted when the last subscriber leaves early.
   */
  fetch$<T>(wanted: Wanted<T>): Observable<Kept<T>>
  /** The end of the flight that `fetch$` would join, whatever comes of it; at once where there is none. */
  readonly landed: (key: string) => Promise<void>
  /** Whether what is on its way is too late to be kept, and what was kept has been forgotten. */
  readonly isOutdated: (query: Query | undefined) => boolean
  /** Makes it so: those who wait get their answer, and nobody keeps it. */
  readonly outdate: (query: Query) => void
}

/** `touch` is told of each answer that stays. */
export function createFlights(queries: Queries, touch: (key: string, kept: number) => void): Flights {
  const { cache } = queries
  const flights = new WeakMap<Query, { readonly answer: Promise<unknown>; aboard: number }>()
  const outdated = new WeakSet<Query>()

  /** Starts the flight, or joins it. */
  function board(wanted: Wanted<unknown>): Query {
    const query = queries.of(wanted.key)
    if (query.state.fetchStatus === 'idle') outdated.delete(query)
    flights.set(query, { answer: query.fetch(toQueryOptions(wanted)), aboard: (flights.get(query)?.aboard ?? 0) + 1 })
    return query
  }

  /** The last one to leave takes along what nobody will want again: a failure, an answer that is not kept, a fetch. */
  function leave(query: Query, kept: number): void {
    const flight = flights.get(query)
    if (flight === undefined || --flight.aboard > 0) return
    if (query.state.data === undefined || kept === 0 || outdated.has(query)) cache.remove(query)
    else if (query.state.fetchStatus !== 'idle') void query.cancel({ revert: true })
    touch(query.queryHash, kept)
  }

  const fly$ = (wanted: Wanted<unknown>) =>
    new Observable<unknown>((subscriber) => {
      const query = board(wanted)
      // query-core rests its retries while the page is hidden, and has to be told that it no longer is
      const ignoreFocus = focusManager.subscribe(() => query.onFocus())
      flights.get(query)?.answer.then(
        (answer) => {
          subscriber.next(answer)
          subscriber.complete()
        },
        (error: unknown) => subscriber.error(error),
      )
      return () => {
        ignoreFocus()
        leave(query, wanted.kept)
      }
    })

  return {
    fetch$: <T>(wanted: Wanted<T>) => fly$(wanted) as Observable<Kept<T>>, // a flight brings what its own fetch made
    async landed(key) {
      const query = cache.get(key)
      if (query !== undefined) await Promise.allSettled([flights.get(query)?.answer])
    },
    isOutdated: (query) => query !== undefined && outdated.has(query),
    outdate: (query) => outdated.add(query),
  }
}

function toQueryOptions({ key, fetch, isWorthRetry, retryDelay }: Wanted<unknown>): QueryOptions {
  return {
    queryKey: [key],
    queryFn: ({ signal }) => fetch(signal),
    retry: isWorthRetry,
    retryDelay,
    networkMode: 'always', // a local indexer needs no network, and `online` is a guess
    structuralSharing: false, // answers are read, not compared
    gcTime: Infinity,
  }
}
