import { eachChunk, type UtxoColumns, isDead, type DeadRows } from '../utxo-columns/columns.js'
import { compareRows, rowsByAmount, type SortedColumns } from './rows-by-amount.js'
import type { LocatedRow, UtxoPart, UtxoRows } from './source.js'

/** All rows of columns, dead ones too, by amount, largest first, then by outpoint; sorted in steps. */
export const columnsByAmount = (columns: UtxoColumns): Generator<undefined, Uint32Array> =>
  rowsByAmount([{ columns, dead: null, live: columns.count, first: 0 }], (row) => ({ columns, row }))

/** A part whose order is not kept elsewhere. */
export function createUtxoPart(columns: UtxoColumns, dead: DeadRows = null): UtxoPart {
  const live = dead === null ? columns.count : columns.count - deadCount(dead, columns.count)
  return { columns, dead, live, sortByAmount: sortOnce(() => columnsByAmount(columns)) }
}

/** Steps that sort at the first call, and of which each later one has the result at once. */
export function sortOnce(sort: () => Generator<undefined, Uint32Array>): () => Generator<undefined, Uint32Array> {
  let sorted: Uint32Array | undefined
  return function* () {
    return (sorted ??= yield* sort())
  }
}

function deadCount(dead: DeadRows, rows: number): number {
  let count = 0
  for (let row = 0; row < rows; row++) if (isDead(dead, row)) count++
  return count
}

export function createUtxoRows(parts: readonly UtxoPart[]): UtxoRows {
  const starts = startsOf(parts)
  const locate = (number: number): LocatedRow => locateRow(parts, starts, number)
  return {
    parts,
    size: parts.reduce((sum, { live }) => sum + live, 0),
    count: parts.reduce((sum, { columns }) => sum + columns.count, 0),
    sortByAmount: sortOnce(() => sortParts(parts, starts, locate)),
    locate,
  }
}

/** The number of the first row of each part. */
function startsOf(parts: readonly UtxoPart[]): Uint32Array {
  let start = 0
  return Uint32Array.from(parts, ({ columns: { count } }) => (start += count) - count)
}

/** By binary search: a wallet may have 10,000 addresses. */
function locateRow(parts: readonly UtxoPart[], starts: Uint32Array, number: number): LocatedRow {
  let [known, beyond] = [0, parts.length]
  while (beyond - known > 1) {
    const middle = (known + beyond) >> 1
    if ((starts[middle] ?? 0) <= number) known = middle
    else beyond = middle
  }
  const part = parts[known]
  if (part === undefined) throw new RangeError(`No row has number ${number}`) // no code path leads here
  return { columns: part.columns, row: number - (starts[known] ?? 0) }
}

/** The order of a part with most of the rows is kept with its columns; the few others are sorted and inserted. */
function* sortParts(
  parts: readonly UtxoPart[],
  starts: Uint32Array,
  locate: (number: number) => LocatedRow,
): Generator<undefined, Uint32Array> {
  const total = parts.reduce((sum, { live }) => sum + live, 0)
  const main = parts.findIndex(({ columns, live }) => 2 * live > total && 2 * live > columns.count)
  const others = parts.flatMap(({ columns, dead, live }, at): SortedColumns[] =>
    at === main ? [] : [{ columns, dead, live, first: starts[at] ?? 0 }],
  )
  const sorted = yield* rowsByAmount(others, locate)
  const part = parts[main]
  return part === undefined ? sorted : yield* insert(yield* liveByAmount(part, starts[main] ?? 0), sorted, locate)
}

/** The numbers of the live rows of a part, sorted. */
function* liveByAmount({ dead, live, sortByAmount }: UtxoPart, first: number): Generator<undefined, Uint32Array> {
  const rows = yield* sortByAmount()
  if (dead === null && first === 0) return rows
  const numbers = new Uint32Array(live)
  let count = 0
  yield* eachChunk(rows.length, (from, end) => {
    for (const row of rows.subarray(from, end)) if (!isDead(dead, row)) numbers[count++] = first + row
  })
  return numbers
}

/** Merges a few sorted numbers into many. */
function* insert(
  many: Uint32Array,
  few: Uint32Array,
  locate: (number: number) => LocatedRow,
): Generator<undefined, Uint32Array> {
  if (few.length === 0) return many
  const merged = new Uint32Array(many.length + few.length)
  let from = 0
  yield* eachChunk(few.length, (first, end) => {
    for (let at = first; at < end; at++) {
      const number = few[at] ?? 0
      const to = firstAfter(many, from, locate(number), locate)
      merged.set(many.subarray(from, to), from + at)
      merged[to + at] = number
      from = to
    }
  })
  merged.set(many.subarray(from), from + few.length)
  return merged
}

/** The position of a row among numbers by amount; -1 where it is not one of them. */
export function positionOf(numbers: Uint32Array, row: LocatedRow, locate: UtxoRows['locate']): number {
  const position = firstAfter(numbers, 0, row, locate)
  const found = numbers[position]
  return found !== undefined && compareRows(locate(found), row) === 0 ? position : -1
}

/** The position of the first number from `from` on that is sorted after a row, or is that row. */
function firstAfter(
  numbers: Uint32Array,
  from: number,
  row: LocatedRow,
  locate: (number: number) => LocatedRow,
): number {
  let [first, end] = [from, numbers.length]
  while (first < end) {
    const middle = (first + end) >> 1
    if (compareRows(locate(numbers[middle] ?? 0), row) < 0) first = middle + 1
    else end = middle
  }
  return first
}
