import { eachChunk, eachPart, type UtxoColumns, isDead, type DeadRows, ID_WORDS } from '../utxo-columns/columns.js'
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

/**
 * Compares rows by amount, largest first, then by the text of their outpoints, `<transaction id>:<index>`: the same
 * UTXOs are in the same order wherever they come from. Negative where `a` is first.
 */
export function compareRows(a: LocatedRow, b: LocatedRow): number {
  const [amountsA, amountsB] = [a.columns.amounts, b.columns.amounts]
  const high = (amountsB[2 * b.row + 1] ?? 0) - (amountsA[2 * a.row + 1] ?? 0)
  return high || (amountsB[2 * b.row] ?? 0) - (amountsA[2 * a.row] ?? 0) || compareOutpoints(a, b)
}

function compareOutpoints(a: LocatedRow, b: LocatedRow): number {
  for (let word = 0; word < ID_WORDS; word++) {
    const difference = idWordAt(a.columns, a.row, word) - idWordAt(b.columns, b.row, word)
    if (difference !== 0) return difference
  }
  const [indexA, indexB] = [a.columns.indexes[a.row], b.columns.indexes[b.row]]
  if (indexA === indexB) return 0
  return String(indexA) < String(indexB) ? -1 : 1
}

/** A word of a transaction id as a number that is ordered as its hex digits. */
function idWordAt({ transactionIds }: UtxoColumns, row: number, word: number): number {
  const bits = transactionIds[ID_WORDS * row + word] ?? 0
  return ((bits << 24) | ((bits & 0xff00) << 8) | ((bits >>> 8) & 0xff00) | (bits >>> 24)) >>> 0
}

/** Bits of a digit: a row is moved three times per word. */
const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS
const MASK = DIGITS - 1

/** A word of each element to sort. */
interface SortKey {
  readonly words: Uint32Array
  readonly order: 'ascending' | 'descending'
}

/** The digit of each word that a pass sorts by. */
interface Digit {
  readonly words: Uint32Array
  readonly shift: number
  /** Reverses the order of the digits, where it is the mask. */
  readonly flip: number
}

/**
 * The positions of elements, sorted by their keys, the last key first. Stable. Costs time in the number of elements, in
 * any distribution of the keys; done in steps.
 */
function* radixSort(count: number, keys: readonly SortKey[]): Generator<undefined, Uint32Array> {
  let positions = new Uint32Array(count)
  yield* eachChunk(count, (first, end) => {
    for (let at = first; at < end; at++) positions[at] = at
  })
  let spare = new Uint32Array(count)
  for (const { words, order } of keys) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const digit = { words, shift, flip: order === 'ascending' ? 0 : MASK }
      const starts = yield* bucketStarts(digit)
      if (starts === undefined) continue
      const [from, to] = [positions, spare]
      yield* eachChunk(count, (first, end) => distribute(from.subarray(first, end), to, digit, starts))
      ;[positions, spare] = [to, from]
    }
  }
  return positions
}

/** The first position of each digit among the sorted ones; undefined where all digits are equal. */
function* bucketStarts(digit: Digit): Generator<undefined, Uint32Array | undefined> {
  const starts = new Uint32Array(DIGITS)
  const { length } = digit.words
  yield* eachChunk(length, (first, end) => countDigits(digit, first, end, starts))
  if (starts.includes(length)) return undefined
  let start = 0
  for (let at = 0; at < DIGITS; at++) {
    const count = starts[at] ?? 0
    starts[at] = start
    start += count
  }
  return starts
}

function countDigits({ words, shift, flip }: Digit, first: number, end: number, counts: Uint32Array): void {
  for (let at = first; at < end; at++) {
    const digit = (((words[at] ?? 0) >>> shift) & MASK) ^ flip
    counts[digit] = (counts[digit] ?? 0) + 1
  }
}

function distribute(positions: Uint32Array, to: Uint32Array, { words, shift, flip }: Digit, starts: Uint32Array): void {
  for (const position of positions) {
    const digit = (((words[position] ?? 0) >>> shift) & MASK) ^ flip
    const target = starts[digit] ?? 0
    to[target] = position
    starts[digit] = target + 1
  }
}
