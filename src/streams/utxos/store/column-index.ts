import {
  ID_WORDS,
  ROWS_PER_CALL,
  ROWS_PER_STEP,
  type UtxoColumns,
  isDead,
  type DeadRows,
} from '../../../model/utxo-columns/columns.js'
import { hasFieldsOf, hasId, readIds, toEntry } from '../../../model/utxo-columns/records.js'
import { columnsByAmount, sortOnce } from '../../../model/utxo-source/rows.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import { HashTable } from './hash-table.js'
import type { OutpointHash } from './outpoint-hash.js'
import type { Steps } from '../../../loading/steps.js'

/** Rows whose ids are converted to text together. */
const BLOCK = 64

/**
 * The rows of columns by outpoint. Immutable, apart from the records that it creates when they are read: each row has
 * one.
 */
export class ColumnIndex {
  readonly columns: UtxoColumns
  /** All rows by amount, largest first, then by outpoint. Sorted at the first call, when a payment is planned. */
  readonly sortByAmount: () => Generator<undefined, Uint32Array>
  readonly #table: HashTable
  readonly #hash: OutpointHash
  #records: (UtxoEntry | undefined)[] = []
  /** Records that others may have and that are not in `#records`, by row. */
  #others: Map<number, WeakRef<UtxoEntry>> | null = null

  private constructor(columns: UtxoColumns, table: HashTable, hash: OutpointHash) {
    this.columns = columns
    this.sortByAmount = sortOnce(() => columnsByAmount(columns))
    this.#table = table
    this.#hash = hash
  }

  /** Indexes columns, in steps of some ms; undefined if two rows have the same outpoint. */
  static *build(columns: UtxoColumns, hash: OutpointHash): Steps<ColumnIndex | undefined> {
    const table = new HashTable()
    table.reserve(columns.count)
    const hashes = new Int32Array(Math.min(columns.count, ROWS_PER_CALL))
    for (let row = 0; row < columns.count; row += ROWS_PER_CALL) {
      if (row > 0 && row % ROWS_PER_STEP === 0) yield
      const part = hashes.subarray(0, columns.count - row)
      hash.ofRows(columns, row, part)
      if (addRows(table, columns, row, part) === 'duplicates') return undefined
    }
    return new ColumnIndex(columns, table, hash)
  }

  /** The hashes of all rows. */
  hashes(): Int32Array {
    const hashes = new Int32Array(this.columns.count)
    this.#table.copyHashes(hashes)
    return hashes
  }

  /** The row of an outpoint; -1 if absent. */
  find(outpoint: Outpoint): number {
    const [columns, table] = [this.columns, this.#table]
    for (let position = table.first(this.#hash(outpoint)); position >= 0; position = table.next(position)) {
      const row = table.numberAt(position)
      if (columns.indexes[row] === outpoint.index && hasId(columns, row, outpoint.transactionId)) return row
    }
    return -1
  }

  /** The row with the same outpoint as a row of other columns; -1 if absent. */
  findRow(other: UtxoColumns, otherRow: number): number {
    return rowAmong(this.#table, this.#hash.ofRow(other, otherRow), this.columns, other, otherRow)
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

/** Adds the rows from `first` on, with their hashes. */
function addRows(table: HashTable, columns: UtxoColumns, first: number, hashes: Int32Array): 'added' | 'duplicates' {
  for (let from = 0; ; from++) {
    from = table.addNew(hashes, from, first, 1)
    if (from === hashes.length) return 'added'
    const hash = hashes[from] ?? 0
    if (rowAmong(table, hash, columns, columns, first + from) >= 0) return 'duplicates'
    table.add(hash, first + from)
  }
}

/** The row of a hash that has the same outpoint as a row of other columns; -1 if there is none. */
function rowAmong(table: HashTable, hash: number, columns: UtxoColumns, other: UtxoColumns, otherRow: number): number {
  for (let position = table.first(hash); position >= 0; position = table.next(position)) {
    const row = table.numberAt(position)
    if (isSameOutpoint(columns, row, other, otherRow)) return row
  }
  return -1
}

function isSameOutpoint(a: UtxoColumns, rowA: number, b: UtxoColumns, rowB: number): boolean {
  for (let word = 0; word < ID_WORDS; word++) {
    if (a.transactionIds[rowA * ID_WORDS + word] !== b.transactionIds[rowB * ID_WORDS + word]) return false
  }
  return a.indexes[rowA] === b.indexes[rowB]
}
