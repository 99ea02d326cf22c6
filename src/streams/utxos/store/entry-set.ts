import { type UtxoColumns, isDead, markDead, noDeadRows, type DeadRows } from '../../../model/utxo-columns/columns.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { Steps } from '../../../loading/steps.js'
import type { ColumnIndex } from './column-index.js'
import { EntryView } from './entry-view.js'
import { mergeEntries, findEqual, matchRows, type RowMatches } from './column-steps.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

/** Columns of which fewer rows are left are replaced by records. */
const MIN_LIVE_SHARE = 1 / 16

/** Records and dead rows are merged with the columns when they are so many, and this share of the entries. */
const MIN_MERGED = 4_096
const MERGED_SHARE = 1 / 8

/** A change of a set while its entries are merged. */
type Change = { readonly put: UtxoEntry } | { readonly remove: Outpoint }

/**
 * The entries of one address by outpoint: those of the first snapshot as columns, later ones as records, until they are
 * merged. An outpoint is a live row or a record, never both. Rows become records when they are read; a row that was
 * removed is dead.
 */
export class EntrySet {
  #base: ColumnIndex | null = null
  #dead: DeadRows = null
  #live = 0
  readonly #records: OutpointMap
  readonly #hash: OutpointHash
  /** Changes since the merge began; null where none is running. */
  #changes: Change[] | null = null
  /** Whether columns can hold the records. */
  #fits = true

  constructor(hash: OutpointHash) {
    this.#hash = hash
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

  has(outpoint: Outpoint): boolean {
    return this.#records.get(outpoint) !== undefined || this.#liveRow(outpoint) >= 0
  }

  /** Inserts or replaces an entry; returns the replaced one. */
  put(entry: UtxoEntry): UtxoEntry | undefined {
    this.#log({ put: entry })
    const before = this.#removeRow(entry.outpoint)
    return this.#records.put(entry) ?? before
  }

  /**
   * Removes and returns an entry; undefined if absent. `like`: a record of the outpoint that it may return if it is
   * equal.
   */
  remove(outpoint: Outpoint, like?: UtxoEntry): UtxoEntry | undefined {
    this.#log({ remove: outpoint })
    return this.#records.remove(outpoint) ?? this.#removeRow(outpoint, like)
  }

  clear(): void {
    this.#changes = null
    this.#fits = true
    this.#dropRows()
    this.#records.clear()
  }

  /** An empty map with the same hash. */
  emptyMap(): OutpointMap {
    return this.#records.emptyCopy()
  }

  /** Inserts all rows into an empty set. */
  adopt(index: ColumnIndex): void {
    this.#changes = null
    this.#base = index
    this.#live = index.columns.count
  }

  /** Inserts records into an empty set. */
  fill(entries: readonly UtxoEntry[]): void {
    this.#changes = null
    this.#records.fill(entries)
  }

  /** Compares other columns with those of the set, in steps of some ms. */
  *match(other: UtxoColumns): Steps<RowMatches | undefined> {
    const base = this.#base
    return base === null ? undefined : yield* matchRows(base, other)
  }

  /**
   * The live row with the same entry as a row of other columns; -1 if there is none. `matches`: those of the columns.
   */
  findSame(other: UtxoColumns, otherRow: number, matches: RowMatches | undefined): number {
    const base = this.#base
    if (base === null) return -1
    const row = matches?.base === base ? (matches.rows[otherRow] ?? -1) : findEqual(base, other, otherRow)
    return row >= 0 && isDead(this.#dead, row) ? -1 : row
  }

  /** The current entries, which later changes of the set do not affect. Costs a bit per row. */
  view(): EntryView {
    return new EntryView(this.#base, this.#dead?.slice() ?? null, this.#live, this.#records.values())
  }

  /** All entries, in no particular order. */
  values(): UtxoEntry[] {
    return this.view().toArray()
  }

  /** Whether so many changes were made since the columns were built that a merge pays. */
  get isMergeDue(): boolean {
    return this.#fits && this.#changes === null && this.#overlay >= Math.max(MIN_MERGED, MERGED_SHARE * this.size)
  }

  /**
   * Builds new columns from rows and records, in steps of some ms. Has no effect on the entries: the set may be read
   * and changed between the steps, and records that were read before stay the same objects.
   */
  *merge(): Steps<void> {
    const changes: Change[] = (this.#changes = [])
    const parts = {
      base: this.#base,
      dead: this.#dead?.slice() ?? null,
      live: this.#live,
      records: this.#records.values(),
    }
    const merged = yield* mergeEntries(parts, this.#hash)
    if (this.#changes !== changes) return // cleared, or changed too often
    this.#changes = null
    this.#fits = merged !== undefined
    if (merged === undefined) return
    merged.keepRecords()
    this.#dropRows()
    this.#records.clear()
    this.adopt(merged.index)
    for (const change of changes) {
      if ('put' in change) this.put(change.put)
      else this.remove(change.remove)
    }
  }

  /** The number of records and dead rows. */
  get #overlay(): number {
    return this.#records.size + (this.#base?.columns.count ?? 0) - this.#live
  }

  /** Remembers a change for a running merge; more changes than entries end it. */
  #log(change: Change): void {
    if (this.#changes !== null && this.#changes.push(change) > this.size + MIN_MERGED) this.#changes = null
  }

  #liveRow(outpoint: Outpoint): number {
    const row = this.#base?.find(outpoint) ?? -1
    return row >= 0 && isDead(this.#dead, row) ? -1 : row
  }

  #removeRow(outpoint: Outpoint, like?: UtxoEntry): UtxoEntry | undefined {
    const row = this.#liveRow(outpoint)
    if (row < 0 || this.#base === null) return undefined
    const entry = this.#base.entryAt(row, outpoint.transactionId, like)
    const { count } = this.#base.columns
    markDead((this.#dead ??= noDeadRows(count)), row)
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
