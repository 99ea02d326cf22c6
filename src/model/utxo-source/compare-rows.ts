import { ID_WORDS, type UtxoColumns } from '../utxo-columns/columns.js'
import type { LocatedRow } from './source.js'

/**
 * Compares rows by amount, largest first, then by the text of their outpoints, `<transaction id>:<index>`: the same
 * UTXOs are in the same order wherever they come from. Negative where `a` is first.
 */
export function compareRows(a: LocatedRow, b: LocatedRow): number {
  const [amountsA, amountsB] = [a.columns.amounts, b.columns.amounts]
  const high = (amountsB[2 * b.row + 1] ?? 0) - (amountsA[2 * a.row + 1] ?? 0)
  return high || (amountsB[2 * b.row] ?? 0) - (amountsA[2 * a.row] ?? 0) || compareOutpoints(a, b)
}

export function compareOutpoints(a: LocatedRow, b: LocatedRow): number {
  for (let word = 0; word < ID_WORDS; word++) {
    const difference = idWordAt(a.columns, a.row, word) - idWordAt(b.columns, b.row, word)
    if (difference !== 0) return difference
  }
  const [indexA, indexB] = [a.columns.indexes[a.row], b.columns.indexes[b.row]]
  if (indexA === indexB) return 0
  return String(indexA) < String(indexB) ? -1 : 1
}

/** A word of a transaction id as a number that is ordered as its hex digits. */
export function idWordAt({ transactionIds }: UtxoColumns, row: number, word: number): number {
  const bits = transactionIds[ID_WORDS * row + word] ?? 0
  return ((bits << 24) | ((bits & 0xff00) << 8) | ((bits >>> 8) & 0xff00) | (bits >>> 24)) >>> 0
}
