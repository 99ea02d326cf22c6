import { createExpiry } from './expiry.js'
import { createFlights, type Flights } from './flight.js'
import type { Kept } from './freshness.js'
import { createGate, type Gate } from './gate.js'
import { SETTLED } from './keep.js'
import { createQueries } from './queries.js'

/** An answer that is kept. */
export interface Entry<T = unknown> {
  readonly key: string
  readonly kept: Kept<T>
  /** When it came, Unix milliseconds. */
  readonly at: number
}

/** Kept answers by key, from outside. */
export interface RestCache {
  readonly peek: (key: string) => Entry | undefined
  readonly entries: () => readonly Entry[]
  /** Puts answers that came another way; what is newer here stays. */
  readonly put: (entries: readonly Entry[]) => void
}

/** Answers by key, on query-core, and what else the clients of one server share. */
export interface Store extends RestCache, Pick<Flights, 'fetch$' | 'landed'> {
  /** Where requests wait for their turn. */
  readonly gate: Gate
  /** A key that nobody else is given, for what must not be shared. */
  readonly ownKey: (key: string) => string
  /** What is kept under the key. It stays `kept` ms longer for having been asked for. */
  readonly get: <T>(key: string, kept: number) => Entry<T> | undefined
  /** Whether what is on its way under the key was asked for before the key was forgotten. */
  readonly isOutdated: (key: string) => boolean
  /** Forgets what is kept under these keys, and what is on its way there. */
  readonly remove: (matches: (key: string) => boolean) => void
  /** Hears of every change until the returned function is called. */
  readonly listen: (listener: () => void) => () => void
  readonly dispose: () => void
}

export function createStore(): Store {
  const queries = createQueries()
  const { cache } = queries
  const { touch, stop } = createExpiry(cache)
  const { outdate, isOutdated, ...flights } = createFlights(queries, touch)
  let owned = 0

  function peek<T>(key: string): Entry<T> | undefined {
    const query = cache.get(key)
    if (query?.state.data === undefined || isOutdated(query)) return undefined // forgotten, it stays for those who wait
    const kept = query.state.data as Kept<T> // under a key lies what was fetched for it
    return { key, kept, at: query.state.dataUpdatedAt }
  }

  function put({ key, kept, at }: Entry): void {
    if (at < (peek(key)?.at ?? 0)) return
    queries.of(key).setData(kept, { updatedAt: at, manual: true })
    touch(key, SETTLED.kept)
  }

  return {
    ...flights,
    gate: createGate(),
    ownKey: (key) => `${key} ${++owned}`,
    isOutdated: (key) => isOutdated(cache.get(key)),
    peek,
    get<T>(key: string, kept: number) {
      touch(key, kept)
      return peek<T>(key)
    },
    put: (entries) => entries.forEach(put),
    entries: () => cache.getAll().flatMap(({ queryHash }) => peek(queryHash) ?? []),
    remove(matches) {
      for (const query of cache.getAll()) {
        if (!matches(query.queryHash)) continue
        if (query.state.fetchStatus === 'idle') cache.remove(query)
        else outdate(query)
      }
    },
    listen: (listener) => cache.subscribe(listener),
    dispose() {
      stop()
      cache.clear()
    },
  }
}
