import type { UtxoColumns } from '../utxo-columns/columns.js'
import { isDead, type DeadRows } from '../utxo-columns/dead-rows.js'
import { compareOutpoints, idWordAt } from './compare-rows.js'
import { radixSort } from './radix-sort.js'
import type { LocatedRow } from './source.js'

/** Columns whose live rows are sorted. */
export interface SortedColumns {
  readonly columns: UtxoColumns
  readonly dead: DeadRows
  readonly live: number
  /** The number of the first row. */
  readonly first: number
}

/** What is compared of each row. */
interface RowKeys {
  readonly numbers: Uint32Array
  readonly low: Uint32Array
  readonly high: Uint32Array
  /** The first word of the transaction id. */
  readonly id: Uint32Array
}

/** The numbers of the live rows by amount, largest first, then by outpoint. `locate`: the row of a number. */
export function rowsByAmount(parts: readonly SortedColumns[], locate: (number: number) => LocatedRow): Uint32Array {
  const keys = keysOf(parts)
  const positions = radixSort(keys.numbers.length, [
    { words: keys.id, order: 'ascending' },
    { words: keys.low, order: 'descending' },
    { words: keys.high, order: 'descending' },
  ])
  const sorted = new Uint32Array(positions.length)
  for (let at = 0; at < sorted.length; at++) sorted[at] = keys.numbers[positions[at] ?? 0] ?? 0
  sortTies(sorted, positions, keys, locate)
  return sorted
}

function keysOf(parts: readonly SortedColumns[]): RowKeys {
  const count = parts.reduce((sum, { live }) => sum + live, 0)
  const words = (): Uint32Array => new Uint32Array(count)
  const keys: RowKeys = { numbers: words(), low: words(), high: words(), id: words() }
  let at = 0
  for (const part of parts) at = readKeys(part, keys, at)
  return keys
}

/** Writes the keys of one part from a position on; returns the next position. */
function readKeys({ columns, dead, first }: SortedColumns, keys: RowKeys, position: number): number {
  let at = position
  for (let row = 0; row < columns.count; row++) {
    if (isDead(dead, row)) continue
    keys.numbers[at] = first + row
    keys.low[at] = columns.amounts[2 * row] ?? 0
    keys.high[at] = columns.amounts[2 * row + 1] ?? 0
    keys.id[at++] = idWordAt(columns, row, 0)
  }
  return at
}

/** Sorts rows whose keys are equal, such as outputs of one transaction, by the whole outpoint. */
function sortTies(
  sorted: Uint32Array,
  positions: Uint32Array,
  { low, high, id }: RowKeys,
  locate: (number: number) => LocatedRow,
): void {
  const isTie = (a: number, b: number): boolean => low[a] === low[b] && high[a] === high[b] && id[a] === id[b]
  for (let start = 0, end = 1; start < sorted.length; start = end++) {
    const position = positions[start] ?? 0
    while (end < sorted.length && isTie(position, positions[end] ?? 0)) end++
    if (end - start > 1) sorted.subarray(start, end).sort((a, b) => compareOutpoints(locate(a), locate(b)))
  }
}
