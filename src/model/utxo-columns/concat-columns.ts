import { ID_WORDS, allocateColumns, type ColumnArrays } from './columns.js'

/** The rows of several blocks of columns, in order. */
export function concatArrays(blocks: readonly ColumnArrays[], count: number): ColumnArrays {
  const all = allocateColumns(count)
  let row = 0
  for (const { transactionIds, indexes, amounts, daaScores, scriptOf, flags } of blocks) {
    all.transactionIds.set(transactionIds, ID_WORDS * row)
    all.indexes.set(indexes, row)
    all.amounts.set(amounts, 2 * row)
    all.daaScores.set(daaScores, 2 * row)
    all.scriptOf.set(scriptOf, row)
    all.flags.set(flags, row)
    row += flags.length
  }
  return all
}
