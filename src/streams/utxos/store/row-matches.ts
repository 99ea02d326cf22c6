import { COVENANT, ROWS_PER_CALL, ROWS_PER_STEP, type UtxoColumns } from '../../../model/utxo-columns/columns.js'
import type { Steps } from '../../../loading/steps.js'
import type { ColumnIndex } from './column-index.js'

/** The rows of indexed columns that have the same entries as those of other columns. */
export interface RowMatches {
  readonly base: ColumnIndex
  /** By row of the other columns; -1 where there is none. */
  readonly rows: Int32Array
}

/** Compares columns row by row, in steps of some ms. */
export function* matchRows(base: ColumnIndex, other: UtxoColumns): Steps<RowMatches> {
  const rows = new Int32Array(other.count)
  for (let first = 0; first < other.count; first += ROWS_PER_CALL) {
    if (first > 0 && first % ROWS_PER_STEP === 0) yield
    matchSome(base, other, rows, first)
  }
  return { base, rows }
}

function matchSome(base: ColumnIndex, other: UtxoColumns, rows: Int32Array, first: number): void {
  const end = Math.min(other.count, first + ROWS_PER_CALL)
  for (let row = first; row < end; row++) rows[row] = findEqual(base, other, row)
}

/** The row of `base` with the same entry as a row of other columns; -1 if there is none. */
export function findEqual(base: ColumnIndex, other: UtxoColumns, otherRow: number): number {
  const row = base.findRow(other, otherRow)
  return row >= 0 && isEqual(base.columns, row, other, otherRow) ? row : -1
}

/** Whether two rows of one outpoint are equal. A row with a covenant never is: its id is compared elsewhere. */
function isEqual(a: UtxoColumns, rowA: number, b: UtxoColumns, rowB: number): boolean {
  for (let word = 0; word < 2; word++) {
    if (a.amounts[2 * rowA + word] !== b.amounts[2 * rowB + word]) return false
    if (a.daaScores[2 * rowA + word] !== b.daaScores[2 * rowB + word]) return false
  }
  return a.flags[rowA] === b.flags[rowB] && ((a.flags[rowA] ?? 0) & COVENANT) === 0
}
