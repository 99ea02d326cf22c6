import type { Answer } from './inquiry.js'
import { ACCEPTANCE, type Keep } from './keep.js'

/** An answer in the cache. Times in ms. */
export interface Kept<T> {
  readonly value: T
  /** How long it is fresh unless the caller says otherwise. */
  readonly fresh: number
  /** How long it is fresh at most, whatever the caller says. */
  readonly limit: number
  /** How long after that it may still be given while a new one is fetched. */
  readonly revalidate: number
  /** It may change any second, whatever an HTTP cache on the way believes. */
  readonly isUnsettled?: true
}

/**
 * How long an answer stands: as long as the server's Cache-Control still grants, for caches on the way take their part;
 * else as long as suits the operation. What may change any second (an unaccepted transaction, an empty range near the tip)
 * is not believed to stand for a day, though the server says so. An answer of "there is none" lives for 3 s at most, a report of illness not at all.
 */
export function keepAnswer<T>({ value, status, headers }: Answer<T>, keep: Keep, isSettled: boolean): Kept<T> {
  const control = parseCacheControl(headers.get('cache-control') ?? '')
  const spent = Number(headers.get('age') ?? 0) * 1000 || 0 // NaN where it is no number
  const granted = control.maxAge === undefined ? keep.fresh : Math.max(control.maxAge - spent, 0)
  return {
    value,
    fresh: isSettled ? granted : Math.min(granted, ACCEPTANCE.fresh),
    limit: status === 200 ? Infinity : status === 404 ? 3_000 : 0,
    revalidate: control.revalidate,
    ...(!isSettled && { isUnsettled: true }),
  }
}

/** `max-age` and `stale-while-revalidate` in ms; what must not be stored, or not used unasked, has an age of 0. */
function parseCacheControl(header: string): { readonly maxAge: number | undefined; readonly revalidate: number } {
  const seconds = (name: string) => new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(header)?.[1]
  const maxAge = /no-store|no-cache/i.test(header) ? 0 : seconds('max-age')
  return {
    maxAge: maxAge === undefined ? undefined : Number(maxAge) * 1000,
    revalidate: Number(seconds('stale-while-revalidate') ?? 0) * 1000,
  }
}

/**
 * Whether a kept answer of `age` ms will do: `fresh` as it is, `stale` while a new one is fetched behind it, else `old`.
 * What the caller or the client wishes goes before what the answer itself says.
 */
export function judge(
  { fresh, limit, revalidate }: Kept<unknown>,
  age: number,
  staleTime: number | undefined,
  staleWhileRevalidate: number | undefined,
): 'fresh' | 'stale' | 'old' {
  const until = Math.min(staleTime ?? fresh, limit)
  if (age < until) return 'fresh'
  const grace = staleWhileRevalidate ?? (staleTime === undefined ? revalidate : 0)
  return age < Math.min(until + grace, limit) ? 'stale' : 'old'
}
