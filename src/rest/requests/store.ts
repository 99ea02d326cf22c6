import { CancelledError } from '@tanstack/query-core'
import { defer, throwError } from 'rxjs'
import { createExpiry } from './expiry.js'
import { createSharedFetches, type SharedFetches } from './shared-fetches.js'
import type { CachedValue } from './freshness.js'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.js'
import { SETTLED } from './cache-policy.js'
import { createQueries } from './queries.js'
import { createServerPause, type ServerPause } from './server-pause.js'

/** A cached response. `dehydrateRest` serializes these fields. */
export interface CacheEntry<T = unknown> {
  readonly key: string
  /** @internal */
  readonly kept: CachedValue<T>
  /** When it was received, Unix milliseconds. */
  readonly at: number
}

/** Cached responses by key. */
export interface RestCache {
  readonly peek: (key: string) => CacheEntry | undefined
  readonly entries: () => readonly CacheEntry[]
  /** Adds entries; newer entries of the same key stay. */
  readonly put: (entries: readonly CacheEntry[]) => void
}

/** Cached responses on query-core, and what else the clients of one server share. */
export interface Store extends RestCache, Pick<SharedFetches, 'fetch$' | 'settled'> {
  readonly limiter: ConcurrencyLimiter
  readonly pause: ServerPause
  /** A key that is used once, for requests that must not be shared. */
  readonly uniqueKey: (key: string) => string
  /** The cached entry; reading it extends its expiry to `cacheTime` ms from now. */
  readonly get: <T>(key: string, cacheTime: number) => CacheEntry<T> | undefined
  /** Whether the fetch in flight started before the key was removed. */
  readonly isInvalidated: (key: string) => boolean
  /** Removes these keys, and keeps the results of their fetches in flight out of the cache. */
  readonly remove: (matches: (key: string) => boolean) => void
  /** Calls `onChange` after every change; returns the unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void
  /** Aborts the fetches in flight; later ones fail with `CancelledError`, and nothing is stored. */
  readonly dispose: () => void
}

export function createStore(): Store {
  const queries = createQueries()
  const { cache } = queries
  const { touch, stop } = createExpiry(cache)
  const { invalidate, isInvalidated, ...fetches } = createSharedFetches(queries, touch)
  let uniqueKeys = 0
  let isDisposed = false

  function peek<T>(key: string): CacheEntry<T> | undefined {
    const query = cache.get(key)
    // removed, but a fetch in flight still has subscribers
    if (query?.state.data === undefined || isInvalidated(query)) return undefined
    const kept = query.state.data as CachedValue<T> // only `fetch$` and `put` set it
    return { key, kept, at: query.state.dataUpdatedAt }
  }

  function put({ key, kept, at }: CacheEntry): void {
    if (isDisposed || at < (peek(key)?.at ?? 0)) return
    queries.of(key).setData(kept, { updatedAt: at, manual: true })
    touch(key, SETTLED.cacheTime)
  }

  return {
    ...fetches,
    fetch$: (spec) => defer(() => (isDisposed ? throwError(() => new CancelledError()) : fetches.fetch$(spec))),
    limiter: createConcurrencyLimiter(),
    pause: createServerPause(),
    uniqueKey: (key) => `${key} ${++uniqueKeys}`,
    isInvalidated: (key) => isInvalidated(cache.get(key)),
    peek,
    get<T>(key: string, cacheTime: number) {
      touch(key, cacheTime)
      return peek<T>(key)
    },
    put: (entries) => entries.forEach(put),
    entries: () => cache.getAll().flatMap(({ queryHash }) => peek(queryHash) ?? []),
    remove(matches) {
      for (const query of cache.getAll()) {
        if (!matches(query.queryHash)) continue
        if (query.state.fetchStatus === 'idle') cache.remove(query)
        else invalidate(query)
      }
    },
    subscribe: (onChange) => cache.subscribe(onChange),
    dispose() {
      isDisposed = true
      stop()
      cache.clear()
    },
  }
}
