import { COINBASE, ID_WORDS, type ColumnArrays } from '../../model/utxo-columns/columns.js'
import type { Cursor } from './cursor.js'

/** Positions of the fields of an entry, in bytes from its start. */
export interface FieldPositions {
  /** The transaction id, followed by the index of the output. */
  readonly id: number
  readonly amount: number
  /** The DAA score, followed by whether it is coinbase. */
  readonly score: number
  /** The end of the entry. */
  readonly end: number
}

/** How an entry is compared with the one before. */
export interface RowLayout extends FieldPositions {
  /** Positions of words that cover all bytes between the fields, lengths and tags among them. */
  readonly words: readonly number[]
}

const OUTPOINT_SIZE = 4 * ID_WORDS + 4
const AMOUNT_SIZE = 8
const SCORE_SIZE = 9

/** The layout of an entry; undefined where its parts between the fields are too short to be compared by words. */
export function toLayout({ id, amount, score, end }: FieldPositions): RowLayout | undefined {
  const parts = [
    [0, id],
    [id + OUTPOINT_SIZE, amount],
    [amount + AMOUNT_SIZE, score],
  ] as const
  if (parts.some(([from, to]) => to - from < 4)) return undefined
  return { id, amount, score, end, words: parts.flatMap(([from, to]) => wordsOf(from, to)) }
}

/** The last word may overlap the one before. */
const wordsOf = (from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / 4) }, (_, word) => Math.min(from + 4 * word, to - 4))

/**
 * Reads the entries from `first` on that differ from the one before only in outpoint, amount, DAA score and coinbase,
 * and returns the next row. A node reports one address after the other, so most entries do.
 */
export function readRepeatedRows(
  cursor: Cursor,
  layout: RowLayout,
  arrays: ColumnArrays,
  first: number,
  end: number,
): number {
  const last = Math.min(end, first + Math.floor((cursor.end - cursor.at) / layout.end))
  const row = copyRepeatedRows(cursor.view, cursor.at, layout, arrays, first, last)
  cursor.at += (row - first) * layout.end
  arrays.scriptOf.fill(arrays.scriptOf[first - 1] ?? 0, first, row)
  return row
}

/**
 * One flat loop, because calls are slow while the code is not optimized yet; and nothing after it, because the engine
 * drops code that it optimized in a loop when it first leaves the loop for code that has never run.
 */
function copyRepeatedRows(
  view: DataView,
  from: number,
  { words, id, amount, score, end: size }: RowLayout,
  { transactionIds, indexes, amounts, daaScores, flags }: ColumnArrays,
  first: number,
  last: number,
): number {
  let start = from
  let row = first
  for (; row < last; row++, start += size) {
    let isRepeated = true
    for (let at = 0; isRepeated && at < words.length; at++) {
      const position = start + (words[at] ?? 0)
      isRepeated = view.getInt32(position) === view.getInt32(position - size)
    }
    for (let at = start + score + SCORE_SIZE; isRepeated && at < start + size; at++) {
      isRepeated = view.getUint8(at) === view.getUint8(at - size)
    }
    const isCoinbase = view.getUint8(start + score + 8)
    if (!isRepeated || isCoinbase > 1) return row
    for (let word = 0; word < ID_WORDS; word++) {
      transactionIds[ID_WORDS * row + word] = view.getUint32(start + id + 4 * word, true)
    }
    indexes[row] = view.getUint32(start + id + 4 * ID_WORDS, true)
    amounts[2 * row] = view.getUint32(start + amount, true)
    amounts[2 * row + 1] = view.getUint32(start + amount + 4, true)
    daaScores[2 * row] = view.getUint32(start + score, true)
    daaScores[2 * row + 1] = view.getUint32(start + score + 4, true)
    flags[row] = isCoinbase === 1 ? COINBASE : 0
  }
  return row
}
