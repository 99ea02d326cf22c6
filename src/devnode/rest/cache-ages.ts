/** The server's cache ages, in seconds. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pairs of an item's age (ms, exclusive) and the cache age of its response (s). */
const CACHE_AGES = [
  [20 * SECOND, 4],
  [MINUTE, 20],
  [10 * MINUTE, 60],
  [HOUR, 600],
  [3 * HOUR, 1_200],
  [10 * HOUR, 3_600],
  [DAY, 10_800],
  [2 * DAY, 36_000],
] as const

/** Cache age by the age of an item (ms). */
export const byAge = (age: number): number => CACHE_AGES.find(([limit]) => age < limit)?.[1] ?? 86_400

/** Cache age of the history of a day or a month that ends at `end` (ms). */
export function byPeriod(end: number, now: number): number {
  if (now - end > 2 * DAY) return 3_600
  return now - end > 2 * HOUR ? 600 : 300
}

/** Cache age by the number of an address's UTXOs. */
export function byUtxoCount(count: number): number {
  if (count > 100_000) return 3_600
  if (count > 10_000) return 600
  return count > 1_000 ? 60 : 8
}
