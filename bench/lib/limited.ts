import type { BenchRow } from '../row.js'

/** A row that compares a value with its limit. `more`: text behind the value. */
export const limited = (what: string, value: number, limit: number, unit: string, more = ''): BenchRow => ({
  what,
  against: `its limit, ${limit} ${unit}`,
  ratio: value / limit,
  goal: '≤ 1 ×',
  met: value <= limit,
  detail: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}${more}`,
})
