/** The server's cache ages, in seconds. */

const HOUR = 3_600_000
const DAY = 86_400_000

/** Pairs of an item's age (ms, exclusive) and the cache age of its response (s). */
const CACHE_AGES = [
  [20_000, 4],
  [60_000, 20],
  [600_000, 60],
  [HOUR, 600],
  [10_800_000, 1_200],
  [36_000_000, 3_600],
  [DAY, 10_800],
  [172_800_000, 36_000],
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
