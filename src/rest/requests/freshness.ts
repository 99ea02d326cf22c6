import { type DecodedResponse, ACCEPTANCE, type CachePolicy } from './prepared-request.js'
import type { Query, QueryCache } from '@tanstack/query-core'
import { LONGEST_TIMER } from '../../loading/abortable.js'

/** A cached response. Times in ms. `dehydrateRest` serializes these fields. */
export interface CachedValue<T> {
  readonly value: T
  /** How long it is fresh without a `staleTime` option. */
  readonly fresh: number
  /** The upper limit of freshness, whatever the options are. */
  readonly limit: number
  /** How long after that it may be returned while a new one is fetched. */
  readonly revalidate: number
  /** It may change any second; HTTP caches are bypassed. */
  readonly isUnsettled?: true
}

/**
 * Freshness by the server's Cache-Control minus Age, else by the operation's policy. Responses that may change any
 * second (an unaccepted transaction, an empty range near the tip) are limited to seconds, although the server grants a
 * day. A 404 is cached for 3 s at most, an unhealthy report not at all.
 */
export function toCachedValue<T>(
  { value, status, headers }: DecodedResponse<T>,
  policy: CachePolicy,
  isSettled: boolean,
): CachedValue<T> {
  const control = parseCacheControl(headers.get('cache-control') ?? '')
  const ageInProxies = Number(headers.get('age') ?? 0) * 1000 || 0 // NaN if not a number
  const granted = control.maxAge === undefined ? policy.staleTime : Math.max(control.maxAge - ageInProxies, 0)
  return {
    value,
    fresh: isSettled ? granted : Math.min(granted, ACCEPTANCE.staleTime),
    limit: status === 200 ? Infinity : status === 404 ? 3_000 : 0,
    revalidate: control.revalidate,
    ...(!isSettled && { isUnsettled: true }),
  }
}

/** `max-age` and `stale-while-revalidate` in ms; `no-store` and `no-cache` are a `max-age` of 0. */
function parseCacheControl(header: string): { readonly maxAge: number | undefined; readonly revalidate: number } {
  const seconds = (name: string) => new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(header)?.[1]
  const maxAge = /no-store|no-cache/i.test(header) ? 0 : seconds('max-age')
  return {
    maxAge: maxAge === undefined ? undefined : Number(maxAge) * 1000,
    revalidate: Number(seconds('stale-while-revalidate') ?? 0) * 1000,
  }
}

/**
 * Whether a response of `age` ms is `fresh`, `stale` (usable while a new one is fetched) or `expired`. Options take
 * precedence over the response's own freshness. A negative age means that the clock was set back: then it is unknown.
 */
export function freshnessOf(
  { fresh, limit, revalidate }: CachedValue<unknown>,
  age: number,
  staleTime: number | undefined,
  staleWhileRevalidate: number | undefined,
): 'fresh' | 'stale' | 'expired' {
  if (age < 0) return 'expired'
  const until = Math.min(staleTime ?? fresh, limit)
  if (age < until) return 'fresh'
  const grace = staleWhileRevalidate ?? (staleTime === undefined ? revalidate : 0)
  return age < Math.min(until + grace, limit) ? 'stale' : 'expired'
}

/** Removes unused responses from the cache. */
interface Expiry {
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
