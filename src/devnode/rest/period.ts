import { byPeriod } from './cache-ages.js'
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
