import { ID_WORDS, ROWS_PER_CALL, ROWS_PER_STEP, type UtxoColumns } from '../../../model/utxo-columns/columns.js'
import { isDead, type DeadRows } from '../../../model/utxo-columns/dead-rows.js'
import { hasFieldsOf, hasId, readIds, toEntry } from '../../../model/utxo-columns/records.js'
import { columnsByAmount, sortOnce } from '../../../model/utxo-source/rows.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'
import type { Steps } from '../../../loading/steps.js'

/** Rows whose ids are converted to text together. */
const BLOCK = 64

/**
 * The rows of columns by outpoint. Immutable, apart from the records that it creates when they are read: each row has
 * one. Open addressing with linear probing; a slot is a row plus one, 0 is empty. At least half of the slots are empty.
 */
export class ColumnIndex {
  readonly columns: UtxoColumns
  /** All rows by amount, largest first, then by outpoint. Sorted at the first call, when a payment is planned. */
  readonly sortByAmount: () => Generator<undefined, Uint32Array>
  readonly #slots: Uint32Array
  readonly #hash: OutpointHash
  #hashes: Int32Array | null
  #records: (UtxoEntry | undefined)[] = []
  /** Records that others may have and that are not in `#records`, by row. */
  #others: Map<number, WeakRef<UtxoEntry>> | null = null

  private constructor(columns: UtxoColumns, slots: Uint32Array, hash: OutpointHash, hashes: Int32Array) {
    this.columns = columns
    this.sortByAmount = sortOnce(() => columnsByAmount(columns))
    this.#slots = slots
    this.#hash = hash
    this.#hashes = hashes
  }

  /** Indexes columns, in steps of some ms; undefined if two rows have the same outpoint. */
  static *build(columns: UtxoColumns, hash: OutpointHash): Steps<ColumnIndex | undefined> {
    const slots = new Uint32Array(slotCount(columns.count))
    const hashes = new Int32Array(columns.count)
    for (let row = 0; row < columns.count; row += ROWS_PER_CALL) {
      if (row > 0 && row % ROWS_PER_STEP === 0) yield
      const part = hashes.subarray(row, row + ROWS_PER_CALL)
      hash.ofRows(columns, row, part)
      if (fillSlots(slots, columns, row, part) === 'duplicates') return undefined
    }
    return new ColumnIndex(columns, slots, hash, hashes)
  }

  /** The hashes of all rows, which are kept until the first call. */
  takeHashes(): Int32Array {
    let hashes = this.#hashes
    this.#hashes = null
    if (hashes !== null) return hashes
    hashes = new Int32Array(this.columns.count)
    this.#hash.ofRows(this.columns, 0, hashes)
    return hashes
  }

  /** Frees the hashes, where nothing takes them. */
  dropHashes(): void {
    this.#hashes = null
  }

  /** The row of an outpoint; -1 if absent. */
  find(outpoint: Outpoint): number {
    const { columns } = this
    const mask = this.#slots.length - 1
    for (let slot = this.#hash(outpoint) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] ?? 0) - 1
      if (row < 0) return -1
      if (columns.indexes[row] === outpoint.index && hasId(columns, row, outpoint.transactionId)) return row
    }
  }

  /** The row with the same outpoint as a row of other columns; -1 if absent. */
  findRow(other: UtxoColumns, otherRow: number): number {
    const { columns } = this
    const mask = this.#slots.length - 1
    for (let slot = this.#hash.ofRow(other, otherRow) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] ?? 0) - 1
      if (row < 0 || isSameOutpoint(columns, row, other, otherRow)) return row
    }
  }

  /**
   * The entry of a row: the same record at each call. `id`: its transaction id, where it is known as text. `like`: a
   * record of the same outpoint, which becomes that of the row where all fields are equal and the row has none yet.
   */
  entryAt(row: number, id?: string, like?: UtxoEntry): UtxoEntry {
    const records = this.#allRecords()
    return records[row] ?? this.#other(row) ?? (records[row] = this.#create(row, id, like))
  }

  #create(row: number, id: string | undefined, like: UtxoEntry | undefined): UtxoEntry {
    return like !== undefined && hasFieldsOf(this.columns, row, like) ? like : toEntry(this.columns, row, id)
  }

  /** The entries of all rows that are not dead. */
  entries(dead: DeadRows): UtxoEntry[] {
    const entries: UtxoEntry[] = []
    const { columns } = this
    let records: (UtxoEntry | undefined)[] | undefined
    for (let first = 0; first < columns.count; first += BLOCK) {
      const rows = Math.min(BLOCK, columns.count - first)
      let ids: string | undefined
      for (let row = first; row < first + rows; row++) {
        if (isDead(dead, row)) continue
        records ??= this.#allRecords()
        const known = records[row] ?? this.#other(row)
        ids ??= known === undefined ? readIds(columns, first, rows) : undefined
        const at = 8 * ID_WORDS * (row - first)
        entries.push(known ?? (records[row] = toEntry(columns, row, ids?.slice(at, at + 8 * ID_WORDS))))
      }
    }
    return entries
  }

  /** Sets the record of a row that has none, without keeping it alive. */
  referTo(row: number, record: UtxoEntry): void {
    this.#refer(row, new WeakRef(record))
  }

  /** Copies the records of rows to the first rows of another index, which have none. */
  copyRecords(rows: Uint32Array, to: ColumnIndex): void {
    if (this.#records.length > 0) to.#records = new Array<UtxoEntry | undefined>(to.columns.count)
    if (this.#records.length === 0 && this.#others === null) return
    rows.forEach((row, position) => {
      const record = this.#records[row]
      const other = record === undefined ? this.#others?.get(row) : undefined
      if (record !== undefined) to.#records[position] = record
      else if (other?.deref() !== undefined) to.#refer(position, other)
    })
  }

  #other(row: number): UtxoEntry | undefined {
    return this.#others?.get(row)?.deref()
  }

  #refer(row: number, record: WeakRef<UtxoEntry>): void {
    this.#others ??= new Map<number, WeakRef<UtxoEntry>>()
    this.#others.set(row, record)
  }

  /**
   * The records by row. Allocated when the first one is read: indexes beyond the length of an array are slow to read.
   */
  #allRecords(): (UtxoEntry | undefined)[] {
    if (this.#records.length === 0) this.#records = new Array<UtxoEntry | undefined>(this.columns.count)
    return this.#records
  }
}

function slotCount(rows: number): number {
  let count = 2
  while (count < 2 * rows) count *= 2
  return count
}

/** Inserts the rows from `first` on, with their hashes. */
function fillSlots(
  slots: Uint32Array,
  columns: UtxoColumns,
  first: number,
  hashes: Int32Array,
): 'filled' | 'duplicates' {
  const mask = slots.length - 1
  for (let row = first; row < first + hashes.length; row++) {
    let slot = (hashes[row - first] ?? 0) & mask
    for (let taken = slots[slot] ?? 0; taken !== 0; taken = slots[slot] ?? 0) {
      if (isSameOutpoint(columns, row, columns, taken - 1)) return 'duplicates'
      slot = (slot + 1) & mask
    }
    slots[slot] = row + 1
  }
  return 'filled'
}

function isSameOutpoint(a: UtxoColumns, rowA: number, b: UtxoColumns, rowB: number): boolean {
  for (let word = 0; word < ID_WORDS; word++) {
    if (a.transactionIds[rowA * ID_WORDS + word] !== b.transactionIds[rowB * ID_WORDS + word]) return false
  }
  return a.indexes[rowA] === b.indexes[rowB]
}
