import { eachChunk, eachPart } from '../utxo-columns/chunks.js'
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

/**
 * The numbers of the live rows by amount, largest first, then by outpoint; sorted in steps. `locate`: the row of a
 * number.
 */
export function* rowsByAmount(
  parts: readonly SortedColumns[],
  locate: (number: number) => LocatedRow,
): Generator<undefined, Uint32Array> {
  const keys = yield* keysOf(parts)
  const { length } = keys.numbers
  const positions = yield* radixSort(length, [
    { words: keys.id, order: 'ascending' },
    { words: keys.low, order: 'descending' },
    { words: keys.high, order: 'descending' },
  ])
  const sorted = new Uint32Array(length)
  yield* eachChunk(length, (first, end) => {
    for (let at = first; at < end; at++) sorted[at] = keys.numbers[positions[at] ?? 0] ?? 0
  })
  let start = 0
  yield* eachChunk(length, (_, end) => (start = sortTies(sorted, positions, keys, { start, end, locate })))
  return sorted
}

function* keysOf(parts: readonly SortedColumns[]): Generator<undefined, RowKeys> {
  const count = parts.reduce((sum, { live }) => sum + live, 0)
  const words = (): Uint32Array => new Uint32Array(count)
  const keys: RowKeys = { numbers: words(), low: words(), high: words(), id: words() }
  let at = 0
  yield* eachPart(
    parts,
    ({ columns }) => columns.count,
    (part) => eachChunk(part.columns.count, (first, end) => (at = readKeys(part, keys, at, first, end))),
  )
  return keys
}

/** Writes the keys of some rows of a part from a position on; returns the next position. */
function readKeys(
  { columns, dead, first }: SortedColumns,
  keys: RowKeys,
  position: number,
  from: number,
  end: number,
): number {
  let at = position
  for (let row = from; row < end; row++) {
    if (isDead(dead, row)) continue
    keys.numbers[at] = first + row
    keys.low[at] = columns.amounts[2 * row] ?? 0
    keys.high[at] = columns.amounts[2 * row + 1] ?? 0
    keys.id[at++] = idWordAt(columns, row, 0)
  }
  return at
}

/**
 * Sorts rows whose keys are equal, such as outputs of one transaction, by the whole outpoint: the groups that begin
 * from `start` on, before `end`. Returns the start of the next one.
 */
function sortTies(
  sorted: Uint32Array,
  positions: Uint32Array,
  { low, high, id }: RowKeys,
  group: { readonly start: number; readonly end: number; readonly locate: (number: number) => LocatedRow },
): number {
  const { locate } = group
  const isTie = (a: number, b: number): boolean => low[a] === low[b] && high[a] === high[b] && id[a] === id[b]
  let { start } = group
  while (start < group.end) {
    const position = positions[start] ?? 0
    let end = start + 1
    while (end < sorted.length && isTie(position, positions[end] ?? 0)) end++
    if (end - start > 1) sorted.subarray(start, end).sort((a, b) => compareOutpoints(locate(a), locate(b)))
    start = end
  }
  return start
}
