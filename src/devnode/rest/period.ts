import { matching } from './http/reader.js'

/** A calendar day or month, UTC. */
export interface Period {
  readonly kind: 'day' | 'month'
  /** Unix milliseconds. */
  readonly start: number
  /** Unix milliseconds, exclusive. */
  readonly end: number
}

export const dayOrMonth = matching('^\\d{4}-\\d{2}(-\\d{2})?$')

/** Undefined for a date that does not exist. */
export function toPeriod(text: string): Period | undefined {
  const [year = 0, month = 0, day] = text.split('-').map(Number)
  const start = Date.UTC(year, month - 1, day ?? 1)
  if (!new Date(start).toISOString().startsWith(text)) return undefined
  const end = day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1)
  return { kind: day === undefined ? 'month' : 'day', start, end }
}

/** The server has no data before the network's first block, nor of the future. */
export const hasData = ({ kind, start }: Period, now: number): boolean =>
  start >= (kind === 'day' ? Date.UTC(2021, 10, 7) : Date.UTC(2021, 10, 1)) && start <= now

/** The cache age of a response about the period, in seconds. */
export const periodAge = (period: Period, now: number): number =>
  hasData(period, now) ? byPeriod(period.end, now) : 300

export const HOUR = 3_600_000

export const startOfHour = (time: number): number => time - (time % HOUR)

/** The server's format: milliseconds only if they are not 0. */
export const toDateTime = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z')

/** The server's cache ages, in seconds. */

const DAY = 24 * HOUR

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
function byPeriod(end: number, now: number): number {
  if (now - end > 2 * DAY) return 3_600
  return now - end > 2 * HOUR ? 600 : 300
}

/** Cache age by the number of an address's UTXOs. */
export function byUtxoCount(count: number): number {
  if (count > 100_000) return 3_600
  if (count > 10_000) return 600
  return count > 1_000 ? 60 : 8
}
