import { COVENANT } from '../../model/utxo-columns/columns.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import type { Outpoint, UtxoEntry } from '../../model/utxo.js'
import { isDead, type ColumnIndex } from './column-index.js'
import { EntryView } from './entry-view.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

/** Columns of which fewer rows are left are replaced by records. */
const MIN_LIVE_SHARE = 1 / 16

/**
 * The entries of one address by outpoint: those of the first snapshot as columns, later ones as records. An outpoint is a
 * live row or a record, never both. Rows become records when they are read; a row that was removed is dead.
 */
export class EntrySet {
  #base: ColumnIndex | null = null
  /** A bit a row, set for dead rows; null where none is dead. */
  #dead: Uint8Array | null = null
  #live = 0
  readonly #records: OutpointMap

  constructor(hash: OutpointHash) {
    this.#records = new OutpointMap(hash)
  }

  get size(): number {
    return this.#live + this.#records.size
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    const record = this.#records.get(outpoint)
    const row = record === undefined ? this.#liveRow(outpoint) : -1
    return row < 0 ? record : this.#base?.entryAt(row, outpoint.transactionId)
  }

  /** Inserts or replaces an entry; returns the replaced one. */
  put(entry: UtxoEntry): UtxoEntry | undefined {
    const before = this.#removeRow(entry.outpoint)
    return this.#records.put(entry) ?? before
  }

  /** Removes and returns an entry; undefined if absent. */
  remove(outpoint: Outpoint): UtxoEntry | undefined {
    return this.#records.remove(outpoint) ?? this.#removeRow(outpoint)
  }

  clear(): void {
    this.#dropRows()
    this.#records.clear()
  }

  /** An empty map with the same hash. */
  emptyMap(): OutpointMap {
    return this.#records.emptyCopy()
  }

  /** Inserts all rows into an empty set. */
  adopt(index: ColumnIndex): void {
    this.#base = index
    this.#live = index.columns.count
  }

  /** Inserts records into an empty set. */
  fill(entries: readonly UtxoEntry[]): void {
    this.#records.fill(entries)
  }

  /** The live row with the same entry as a row of other columns; -1 if there is none. */
  findSame(other: UtxoColumns, otherRow: number): number {
    const row = this.#base?.findRow(other, otherRow) ?? -1
    return row >= 0 &&
      !isDead(this.#dead, row) &&
      this.#base !== null &&
      isSame(this.#base.columns, row, other, otherRow)
      ? row
      : -1
  }

  /** The current entries, which later changes of the set do not affect. Costs a bit per row. */
  view(): EntryView {
    return new EntryView(this.#base, this.#dead?.slice() ?? null, this.#live, this.#records.values())
  }

  /** All entries, in no particular order. */
  values(): UtxoEntry[] {
    return this.view().toArray()
  }

  #liveRow(outpoint: Outpoint): number {
    const row = this.#base?.find(outpoint) ?? -1
    return row >= 0 && isDead(this.#dead, row) ? -1 : row
  }

  #removeRow(outpoint: Outpoint): UtxoEntry | undefined {
    const row = this.#liveRow(outpoint)
    if (row < 0 || this.#base === null) return undefined
    const entry = this.#base.entryAt(row, outpoint.transactionId)
    const { count } = this.#base.columns
    this.#dead ??= new Uint8Array((count + 7) >> 3)
    this.#dead[row >> 3] = (this.#dead[row >> 3] ?? 0) | (1 << (row & 7))
    this.#live--
    if (this.#live < MIN_LIVE_SHARE * count) this.#replaceRows(this.#base)
    return entry
  }

  /** Frees the memory of columns that are mostly dead. */
  #replaceRows(base: ColumnIndex): void {
    const left = base.entries(this.#dead)
    this.#dropRows()
    for (const entry of left) this.#records.put(entry)
  }

  #dropRows(): void {
    this.#base = null
    this.#dead = null
    this.#live = 0
  }
}

function isSame(a: UtxoColumns, rowA: number, b: UtxoColumns, rowB: number): boolean {
  for (let word = 0; word < 2; word++) {
    if (a.amounts[2 * rowA + word] !== b.amounts[2 * rowB + word]) return false
    if (a.daaScores[2 * rowA + word] !== b.daaScores[2 * rowB + word]) return false
  }
  return a.flags[rowA] === b.flags[rowB] && ((a.flags[rowA] ?? 0) & COVENANT) === 0
}
