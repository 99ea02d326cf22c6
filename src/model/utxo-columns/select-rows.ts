import { ID_WORDS, allocateColumns, type ColumnArrays, type UtxoColumns } from './columns.js'

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
  const rows = rowsOfGroups(
    columns,
    Int32Array.from(scripts, ({ address }) => (address === undefined ? -1 : (groups.get(address) ?? -1))),
    groups.size,
  )
  for (const [address, group] of groups) yield [address, selectRows(columns, rows[group] ?? NO_ROWS)]
}

const NO_ROWS = /*#__PURE__*/ new Uint32Array(0)

/** The rows of each group. `groupOf`: the group of each script; -1 for none. */
function rowsOfGroups({ count, scriptOf }: UtxoColumns, groupOf: Int32Array, groups: number): readonly Uint32Array[] {
  const groupAt = (row: number): number => groupOf[scriptOf[row] ?? 0] ?? -1
  const sizes = new Uint32Array(groups)
  for (let row = 0; row < count; row++) {
    const group = groupAt(row)
    if (group >= 0) sizes[group] = (sizes[group] ?? 0) + 1
  }
  const rows = Array.from(sizes, (size) => new Uint32Array(size))
  const filled = new Uint32Array(groups)
  for (let row = 0; row < count; row++) {
    const group = groupAt(row)
    const rowsOfGroup = group < 0 ? undefined : rows[group]
    if (rowsOfGroup === undefined) continue
    const at = filled[group] ?? 0
    rowsOfGroup[at] = row
    filled[group] = at + 1
  }
  return rows
}

/** A copy of some rows, in this order. */
export function selectRows(columns: UtxoColumns, rows: Uint32Array): UtxoColumns {
  const { scripts, covenantIds } = columns
  const selected = allocateColumns(rows.length)
  copyRows(columns, rows, selected, 0)
  return { ...selected, count: rows.length, scripts, covenantIds: selectCovenants(covenantIds, rows) }
}

/** Copies rows to consecutive rows from `first` on, apart from the ids of covenants. */
export function copyRows(from: ColumnArrays, rows: Uint32Array, to: ColumnArrays, first: number): void {
  copyWords(from.transactionIds, to.transactionIds, rows, ID_WORDS, first)
  copyWords(from.indexes, to.indexes, rows, 1, first)
  copyWords(from.amounts, to.amounts, rows, 2, first)
  copyWords(from.daaScores, to.daaScores, rows, 2, first)
  copyWords(from.scriptOf, to.scriptOf, rows, 1, first)
  for (let position = 0; position < rows.length; position++) {
    to.flags[first + position] = from.flags[rows[position] ?? 0] ?? 0
  }
}

/** Copies words of consecutive rows at once: a node reports one address after the other. */
function copyWords(from: Uint32Array, to: Uint32Array, rows: Uint32Array, width: number, first: number): void {
  for (let position = 0; position < rows.length;) {
    const row = rows[position] ?? 0
    const count = runLength(rows, position)
    const [source, target] = [width * row, width * (first + position)]
    if (count >= MIN_RUN) to.set(from.subarray(source, source + width * count), target)
    else for (let word = 0; word < width * count; word++) to[target + word] = from[source + word] ?? 0
    position += count
  }
}

/** Rows for which a call costs less than a loop. */
const MIN_RUN = 8

/** The number of consecutive rows from a position on. */
function runLength(rows: Uint32Array, position: number): number {
  const row = rows[position] ?? 0
  let count = 1
  while (rows[position + count] === row + count) count++
  return count
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
