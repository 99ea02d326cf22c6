import { CancelledError } from '@tanstack/query-core'
import { defer, throwError } from 'rxjs'
import { createExpiry, type CachedValue } from './freshness.js'
import { createSharedFetches, type SharedFetches, createQueries } from './shared-fetches.js'
import { SETTLED, type RequestTarget } from './prepared-request.js'
import { abortable, sleep } from '../../loading/abortable.js'
import { ChainRestError } from '../../errors/rest-error.js'

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

/** Runs at most `limit` at a time and queues the others. */
type ConcurrencyLimiter = <T>(limit: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

interface QueuedRequest {
  readonly limit: number
  readonly start: () => void
}

/**
 * One limiter for all clients of a server. A queued request that is aborted rejects when it is dequeued; a running one
 * rejects at once, because a custom `fetcher` may ignore the signal.
 */
function createConcurrencyLimiter(): ConcurrencyLimiter {
  const queue: QueuedRequest[] = []
  let running = 0

  /** Passes the slot to the first queued request whose limit allows it. */
  function release(): void {
    const next = queue.findIndex(({ limit }) => running <= limit)
    if (next < 0) running--
    else queue.splice(next, 1)[0]?.start()
  }

  return async (limit, signal, work) => {
    if (running < limit) running++
    else await new Promise<void>((start) => queue.push({ limit, start }))
    try {
      return await abortable(signal, work)
    } finally {
      release()
    }
  }
}

/** The pause that a server requires by `Retry-After`: all requests of its clients wait for its end. */
interface ServerPause {
  /** Begins or extends the pause, if the error has `retryAfter`. */
  readonly extend: (error: ChainRestError) => void
  /**
   * Resolves at the end of the pause; at once without one. Rejects at once with the server's status if the pause lasts
   * beyond `deadline`, Unix milliseconds.
   */
  readonly wait: (target: RequestTarget, deadline: number, signal: AbortSignal) => Promise<void>
}

/**
 * A longer pause ends after this many ms: a server that recovers earlier is not shut out for a day. One that seems to
 * last longer is over, because the clock was set back.
 */
const LONGEST = 300_000

function createServerPause(): ServerPause {
  let end = 0
  let status: number | undefined
  return {
    extend(error) {
      if (error.retryAfter === undefined) return
      const until = Date.now() + Math.min(error.retryAfter, LONGEST)
      if (until > end) [end, status] = [until, error.status]
    },
    async wait(target, deadline, signal) {
      for (let left = end - Date.now(); left > 0 && left <= LONGEST; left = end - Date.now()) {
        if (end >= deadline) throw paused(target, status, left)
        await sleep(left, signal)
        signal.throwIfAborted()
      }
    },
  }
}

const paused = (target: RequestTarget, status: number | undefined, retryAfter: number): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'http',
    status,
    retryAfter,
    reason: 'the server requires a pause, and the request was not sent',
    hint: 'Send fewer requests, or run your own indexer; `retryAfter` is the time to wait in ms.',
  })
