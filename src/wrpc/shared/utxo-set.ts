import { ID_WORDS, type UtxoColumns } from '../../model/utxo-columns/columns.js'
import { OutpointFilter } from '../../model/utxo-columns/outpoint-filter.js'
import { createTarget, finishColumns, scriptAt, writeEntry } from '../../model/utxo-columns/records.js'
import { selectRows } from '../../model/utxo-columns/select-rows.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { NotificationData } from '../../node/messages/records.js'

export type Delta = NotificationData<'utxos-changed'>

/** Changes after which a set is fetched again instead of being kept. */
const MAX_CHANGES = 20_000

/**
 * The UTXOs of one address: a snapshot, and what was notified since. Without an index: most sets are read once, when
 * the next tab opens.
 */
export class SharedUtxoSet {
  #base: UtxoColumns
  /** Rows of the base that have been removed. */
  readonly #removed = new Map<OutpointKey, UtxoEntry>()
  readonly #added = new Map<OutpointKey, UtxoEntry>()
  #isConsistent = true

  /**
   * `meanwhile`: what was notified since the request. The snapshot may contain any part of it; the last change of each
   * outpoint decides.
   */
  constructor(snapshot: UtxoColumns, meanwhile: readonly Delta[]) {
    const latest = new Map<OutpointKey, { readonly entry: UtxoEntry; readonly isAdded: boolean }>()
    for (const { removed, added } of meanwhile) {
      for (const entry of removed) latest.set(toOutpointKey(entry.outpoint), { entry, isAdded: false })
      for (const entry of added) latest.set(toOutpointKey(entry.outpoint), { entry, isAdded: true })
    }
    const changes = [...latest.values()]
    const unchanged = withoutRows(
      snapshot,
      changes.map(({ entry }) => entry),
    )
    this.#base = joinColumns(
      [unchanged],
      changes.flatMap(({ entry, isAdded }) => (isAdded ? entry : [])),
    )
  }

  /**
   * Applies a later notification. A UTXO that is added twice, or removed without being there, makes the set
   * inconsistent: a notification is missing, or came late.
   */
  apply({ removed, added }: Delta): void {
    for (const entry of removed) this.#remove(entry)
    for (const entry of added) this.#add(entry)
    if (this.#added.size + this.#removed.size > MAX_CHANGES) this.#isConsistent = false
  }

  /** All UTXOs; null where the set is inconsistent. */
  read(): UtxoColumns | null {
    if (!this.#isConsistent) return null
    if (this.#added.size + this.#removed.size === 0) return this.#base
    const base = withoutRows(this.#base, this.#removed.values())
    this.#isConsistent =
      base.count === this.#base.count - this.#removed.size && rowsOf(base, this.#added.values()).size === 0
    if (!this.#isConsistent) return null
    this.#base = joinColumns([base], [...this.#added.values()])
    this.#removed.clear()
    this.#added.clear()
    return this.#base
  }

  #remove(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    if (this.#added.delete(key)) return
    if (this.#removed.has(key)) this.#isConsistent = false
    this.#removed.set(key, entry)
  }

  #add(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    if (this.#added.has(key)) this.#isConsistent = false
    this.#added.set(key, entry)
  }
}

/** The rows of several columns, then records. */
export function joinColumns(parts: readonly UtxoColumns[], entries: readonly UtxoEntry[] = []): UtxoColumns {
  const [only] = parts
  if (parts.length === 1 && only !== undefined && entries.length === 0) return only
  const count = parts.reduce((sum, part) => sum + part.count, entries.length)
  const target = createTarget(count)
  let row = 0
  for (const part of parts) {
    copyAll(part, target, row)
    row += part.count
  }
  for (const entry of entries) writeEntry(target, row++, entry)
  return finishColumns(target, count)
}

/** Copies all rows to consecutive rows from `first` on; the numbers of scripts change. */
function copyAll(
  part: UtxoColumns,
  { arrays, scripts, covenantIds }: ReturnType<typeof createTarget>,
  first: number,
): void {
  arrays.transactionIds.set(part.transactionIds.subarray(0, ID_WORDS * part.count), ID_WORDS * first)
  arrays.indexes.set(part.indexes.subarray(0, part.count), first)
  arrays.amounts.set(part.amounts.subarray(0, 2 * part.count), 2 * first)
  arrays.daaScores.set(part.daaScores.subarray(0, 2 * part.count), 2 * first)
  arrays.flags.set(part.flags.subarray(0, part.count), first)
  const numbers: number[] = []
  const numberOf = (row: number): number => {
    const { address, scriptPublicKey } = scriptAt(part, row)
    return scripts.indexOf(address, scriptPublicKey)
  }
  for (let row = 0; row < part.count; row++)
    arrays.scriptOf[first + row] = numbers[part.scriptOf[row] ?? 0] ??= numberOf(row)
  for (const [row, covenantId] of part.covenantIds) covenantIds.set(first + row, covenantId)
}

/** The columns without the rows of some entries; the same object where there are none. */
function withoutRows(columns: UtxoColumns, entries: Iterable<UtxoEntry>): UtxoColumns {
  const rows = rowsOf(columns, entries)
  if (rows.size === 0) return columns
  const kept = Uint32Array.from({ length: columns.count }, (_, row) => row).filter((row) => !rows.has(row))
  return selectRows(columns, kept)
}

function rowsOf(columns: UtxoColumns, entries: Iterable<UtxoEntry>): ReadonlySet<number> {
  const outpoints = Array.from(entries, ({ outpoint }) => outpoint)
  if (outpoints.length === 0) return NO_ROWS
  const filter = new OutpointFilter(outpoints)
  const rows = new Set<number>()
  for (let row = 0; row < columns.count; row++) if (filter.has(columns, row)) rows.add(row)
  return rows
}

const NO_ROWS: ReadonlySet<number> = /*#__PURE__*/ new Set()
