import {
  COVENANT,
  ROWS_PER_CALL,
  ROWS_PER_STEP,
  type UtxoColumns,
  isDead,
  type DeadRows,
} from '../../../model/utxo-columns/columns.js'
import type { Steps } from '../../../loading/steps.js'
import { ColumnIndex } from './column-index.js'
import { createTarget, isPackable, finishColumns, writeEntry } from '../../../model/utxo-columns/records.js'
import { copyRows, selectCovenants } from '../../../model/utxo-columns/select-rows.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'

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

/** The entries to merge: live rows of columns, and records. */
interface Parts {
  readonly base: ColumnIndex | null
  readonly dead: DeadRows
  readonly live: number
  readonly records: readonly UtxoEntry[]
}

/** Entries as columns. */
interface Merged {
  readonly index: ColumnIndex
  /**
   * Makes rows that were read before return the same records as before. To be called when the columns replace the
   * parts.
   */
  readonly keepRecords: () => void
}

/**
 * Merges live rows and records into new columns, in steps of some ms. Undefined where columns cannot hold them. The
 * records are referenced weakly afterwards: those that nothing else references free their memory.
 */
export function* mergeEntries({ base, dead, live, records }: Parts, hash: OutpointHash): Steps<Merged | undefined> {
  const rows = liveRows(base, dead, live)
  const columns = yield* mergeColumns(base?.columns ?? null, rows, records)
  const index = columns === undefined ? undefined : yield* ColumnIndex.build(columns, hash)
  if (index === undefined) return undefined
  for (const [at, record] of records.entries()) {
    if (at % ROWS_PER_STEP === 0) yield
    index.referTo(rows.length + at, record)
  }
  return { index, keepRecords: () => base?.copyRecords(rows, index) }
}

function liveRows(base: ColumnIndex | null, dead: DeadRows, live: number): Uint32Array {
  const rows = new Uint32Array(live)
  let at = 0
  for (let row = 0; row < (base?.columns.count ?? 0); row++) if (!isDead(dead, row)) rows[at++] = row
  return rows
}

/** Some rows of columns, followed by records, as new columns; undefined where columns cannot hold a record. */
function* mergeColumns(
  columns: UtxoColumns | null,
  rows: Uint32Array,
  records: readonly UtxoEntry[],
): Steps<UtxoColumns | undefined> {
  const target = createTarget(rows.length + records.length)
  if (columns !== null) {
    for (const { address, scriptPublicKey } of columns.scripts) target.scripts.indexOf(address, scriptPublicKey)
    for (const [row, id] of selectCovenants(columns.covenantIds, rows)) target.covenantIds.set(row, id)
    for (let first = 0; first < rows.length; first += ROWS_PER_STEP) {
      copyRows(columns, rows.subarray(first, first + ROWS_PER_STEP), target.arrays, first)
      yield
    }
  }
  for (const [at, record] of records.entries()) {
    if (at > 0 && at % ROWS_PER_STEP === 0) yield
    if (!isPackable(record)) return undefined
    writeEntry(target, rows.length + at, record)
  }
  return finishColumns(target, rows.length + records.length)
}
