import type { Query, QueryCache } from '@tanstack/query-core'

/** Sees to it that answers nobody asks for leave the cache. */
export interface Expiry {
  /** Notes that the query of this key was asked for just now, and is to be kept for `kept` ms from here. */
  readonly touch: (key: string, kept: number) => void
  readonly stop: () => void
}

/**
 * query-core's own timers (one a query) would keep a Node process alive for minutes. Here is one for all, which holds
 * neither the process nor the cache: an app that is dropped takes its cache along.
 */
export function createExpiry(cache: QueryCache): Expiry {
  const held = new WeakRef(cache)
  const leavesAt = new WeakMap<Query, number>()
  let alarm = { at: Infinity, timer: undefined as ReturnType<typeof setTimeout> | undefined }

  function sweep(): void {
    alarm = { at: Infinity, timer: undefined }
    const now = Date.now()
    for (const query of held.deref()?.getAll() ?? []) {
      const at = leavesAt.get(query) ?? Infinity
      if (at > now) setAlarm(at)
      else if (query.state.fetchStatus === 'idle') held.deref()?.remove(query)
    }
  }

  function setAlarm(at: number): void {
    if (at >= alarm.at) return
    clearTimeout(alarm.timer)
    alarm = { at, timer: setTimeout(sweep, Math.min(at - Date.now(), LONGEST_TIMER)) }
    if (typeof alarm.timer === 'object') alarm.timer.unref()
  }

  return {
    touch(key, kept) {
      const query = cache.get(key)
      if (query === undefined) return
      leavesAt.set(query, Date.now() + kept)
      setAlarm(Date.now() + kept)
    },
    stop: () => clearTimeout(alarm.timer),
  }
}

/** Timers beyond 2^31 ms fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1
