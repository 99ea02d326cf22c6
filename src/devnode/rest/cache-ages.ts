/** How long the server lets its answers be kept, in seconds. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Up to which age of an item (ms) its answer may be kept how long (s). */
const LADDER = [
  [20 * SECOND, 4],
  [MINUTE, 20],
  [10 * MINUTE, 60],
  [HOUR, 600],
  [3 * HOUR, 1_200],
  [10 * HOUR, 3_600],
  [DAY, 10_800],
  [2 * DAY, 36_000],
] as const

/** The older a thing is, the longer its answer may be kept. `age` in ms. */
export const byAge = (age: number): number => LADDER.find(([limit]) => age < limit)?.[1] ?? 86_400

/** For the history of a day or a month that ends at `end` (ms). */
export function byPeriod(end: number, now: number): number {
  if (now - end > 2 * DAY) return 3_600
  return now - end > 2 * HOUR ? 600 : 300
}

/** The more outputs an address has, the dearer it is to list them. */
export function byUtxoCount(count: number): number {
  if (count > 100_000) return 3_600
  if (count > 10_000) return 600
  return count > 1_000 ? 60 : 8
}
