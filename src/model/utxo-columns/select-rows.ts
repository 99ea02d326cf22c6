import { ID_WORDS, allocateColumns, toColumns, type ColumnArrays, type UtxoColumns } from './columns.js'

/** The columns of each address, copied one by one. Rows without an address are left out. */
export function* groupColumns(columns: UtxoColumns): Iterable<readonly [address: string, columns: UtxoColumns]> {
  const { scripts } = columns
  const groups = new Map<string, number>()
  for (const { address } of scripts) {
    if (address !== undefined && !groups.has(address)) groups.set(address, groups.size)
  }
  const [only] = groups.keys()
  if (groups.size === 1 && only !== undefined && scripts.every(({ address }) => address === only)) {
    yield [only, columns]
    return
  }
  const groupOf = Int32Array.from(scripts, ({ address }) => (address === undefined ? -1 : (groups.get(address) ?? -1)))
  const rows = rowsOfGroups(columns, groupOf, groups.size)
  for (const [address, group] of groups) yield [address, selectRows(columns, rows[group] ?? NO_ROWS)]
}

const NO_ROWS = /*#__PURE__*/ new Uint32Array(0)

/** The rows of each group. `groupOf`: the group of each script; -1 for none. */
function rowsOfGroups({ count, scriptOf }: UtxoColumns, groupOf: Int32Array, groups: number): readonly Uint32Array[] {
  const counts = new Uint32Array(groups)
  countRows(scriptOf, count, groupOf, counts)
  let start = 0
  const starts = counts.map((rowCount) => (start += rowCount) - rowCount)
  const rows = new Uint32Array(count)
  placeRows(scriptOf, groupOf, starts.slice(), rows)
  return Array.from(starts, (first, group) => rows.subarray(first, first + (counts[group] ?? 0)))
}

/** A function for each loop, because the engine drops the code of a loop that is left for code that has never run. */
function countRows(scriptOf: Uint32Array, count: number, groupOf: Int32Array, counts: Uint32Array): void {
  for (let row = 0; row < count; row++) {
    const group = groupOf[scriptOf[row] ?? 0] ?? -1
    if (group >= 0) counts[group] = (counts[group] ?? 0) + 1
  }
}

/** `next`: where the next row of each group is placed. */
function placeRows(scriptOf: Uint32Array, groupOf: Int32Array, next: Uint32Array, rows: Uint32Array): void {
  for (let row = 0; row < scriptOf.length; row++) {
    const group = groupOf[scriptOf[row] ?? 0] ?? -1
    if (group < 0) continue
    const at = next[group] ?? 0
    rows[at] = row
    next[group] = at + 1
  }
}

/** A copy of some rows, in ascending order. */
export function selectRows(columns: UtxoColumns, rows: Uint32Array): UtxoColumns {
  const { scripts, covenantIds } = columns
  const selected = allocateColumns(rows.length)
  copyRows(columns, rows, selected, 0)
  return toColumns(selected, { count: rows.length, scripts, covenantIds: selectCovenants(covenantIds, rows) })
}

/** Copies rows, in ascending order, to consecutive rows from `first` on, apart from the ids of covenants. */
export function copyRows(from: ColumnArrays, rows: Uint32Array, to: ColumnArrays, first: number): void {
  const [start = 0, last = 0] = [rows[0], rows.at(-1)]
  if (last - start + 1 === rows.length) copyRange(from, start, last + 1, to, first)
  else copyEach(from, rows, to, first)
}

/** A node reports one address after the other. */
function copyRange(from: ColumnArrays, start: number, end: number, to: ColumnArrays, first: number): void {
  to.transactionIds.set(from.transactionIds.subarray(ID_WORDS * start, ID_WORDS * end), ID_WORDS * first)
  to.indexes.set(from.indexes.subarray(start, end), first)
  to.amounts.set(from.amounts.subarray(2 * start, 2 * end), 2 * first)
  to.daaScores.set(from.daaScores.subarray(2 * start, 2 * end), 2 * first)
  to.scriptOf.set(from.scriptOf.subarray(start, end), first)
  to.flags.set(from.flags.subarray(start, end), first)
}

function copyEach(from: ColumnArrays, rows: Uint32Array, to: ColumnArrays, first: number): void {
  const { transactionIds, indexes, amounts, daaScores, scriptOf, flags } = to
  for (let position = 0, target = first; position < rows.length; position++, target++) {
    const row = rows[position] ?? 0
    for (let word = 0; word < ID_WORDS; word++) {
      transactionIds[ID_WORDS * target + word] = from.transactionIds[ID_WORDS * row + word] ?? 0
    }
    for (let word = 0; word < 2; word++) {
      amounts[2 * target + word] = from.amounts[2 * row + word] ?? 0
      daaScores[2 * target + word] = from.daaScores[2 * row + word] ?? 0
    }
    indexes[target] = from.indexes[row] ?? 0
    scriptOf[target] = from.scriptOf[row] ?? 0
    flags[target] = from.flags[row] ?? 0
  }
}

/** The covenants of some rows, by their positions among them. */
export function selectCovenants(
  covenantIds: ReadonlyMap<number, string>,
  rows: Uint32Array,
): ReadonlyMap<number, string> {
  if (covenantIds.size === 0) return covenantIds
  const selected = new Map<number, string>()
  rows.forEach((row, position) => {
    const covenantId = covenantIds.get(row)
    if (covenantId !== undefined) selected.set(position, covenantId)
  })
  return selected
}
