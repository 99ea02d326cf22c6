import type { BenchRow } from '../../bench/row.js'

/** A row of a file that `--json` wrote: a ratio that is no number is null there. */
export type StoredRow = Pick<BenchRow, 'what' | 'against' | 'goal' | 'met'> & { readonly ratio: number | null }

interface ComparedRow {
  readonly what: string
  readonly against: string
  readonly before: number | undefined
  readonly now: number | undefined
  /** `now` divided by `before`. */
  readonly change: number | undefined
  readonly mark: 'new' | 'removed' | 'missed now' | 'met now' | 'worse' | 'better' | '=' | '–'
}

export function compareRows(before: readonly StoredRow[], now: readonly StoredRow[]): readonly ComparedRow[]

export function comparisonTable(compared: readonly ComparedRow[]): readonly string[]
