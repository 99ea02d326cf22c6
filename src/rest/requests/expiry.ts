import type { Query, QueryCache } from '@tanstack/query-core'
import { LONGEST_TIMER } from '../../loading/abortable.js'

/** Removes unused responses from the cache. */
export interface Expiry {
  /** Extends the expiry of the key's query to `cacheTime` ms from now. */
  readonly touch: (key: string, cacheTime: number) => void
  readonly stop: () => void
}

/**
 * query-core's own timers (one per query) would keep a Node process alive for minutes. This single timer keeps neither
 * the process nor the cache alive.
 */
export function createExpiry(cache: QueryCache): Expiry {
  const cacheRef = new WeakRef(cache)
  const expiresAt = new WeakMap<Query, number>()
  let next = { at: Infinity, timer: undefined as ReturnType<typeof setTimeout> | undefined }

  function removeExpired(): void {
    next = { at: Infinity, timer: undefined }
    const now = Date.now()
    for (const query of cacheRef.deref()?.getAll() ?? []) {
      const at = expiresAt.get(query) ?? Infinity
      if (at > now) schedule(at)
      else if (query.state.fetchStatus === 'idle') cacheRef.deref()?.remove(query)
    }
  }

  function schedule(at: number): void {
    if (at >= next.at) return
    clearTimeout(next.timer)
    next = { at, timer: setTimeout(removeExpired, Math.min(at - Date.now(), LONGEST_TIMER)) }
    if (typeof next.timer === 'object') next.timer.unref()
  }

  return {
    touch(key, cacheTime) {
      const query = cache.get(key)
      if (query === undefined) return
      expiresAt.set(query, Date.now() + cacheTime)
      schedule(Date.now() + cacheTime)
    },
    stop: () => clearTimeout(next.timer),
  }
}
