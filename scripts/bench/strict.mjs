import { lineOf } from './table.mjs'

/**
 * What is wrong with a run, as lines: rows that miss their goal, and benchmarks without a row, which need something
 * that is not installed. Empty where every goal is met.
 */
export function complaintsOf(results) {
  const rows = results.flatMap((result) => result.rows)
  const missed = rows.filter(({ met }) => !met)
  const empty = results.filter((result) => result.rows.length === 0).map(({ name }) => name)
  return [
    ...(missed.length === 0 ? [] : [`${missed.length} of ${rows.length} rows miss their goal:`, ...missed.map(lineOf)]),
    ...(empty.length === 0 ? [] : [`Without what they need no row is measured: ${empty.join(', ')}`]),
  ]
}
