import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import { HashTable } from './hash-table.js'
import type { OutpointHash } from './outpoint-hash.js'

/** Free indexes among which no map is compacted. */
const MIN_COMPACTED = 64

/** Entries by outpoint. Unlike a `Map` with string keys it allocates no strings. */
export class OutpointMap<Entry extends { readonly outpoint: Outpoint } = UtxoEntry> {
  readonly #table = new HashTable()
  /** By their numbers in the table. */
  #entries: (Entry | undefined)[] = []
  /** Free indexes in `#entries`. */
  readonly #freeIndexes: number[] = []
  readonly #hash: OutpointHash

  constructor(hash: OutpointHash) {
    this.#hash = hash
  }

  /** An empty map with the same hash. */
  emptyCopy(): OutpointMap<Entry> {
    return new OutpointMap<Entry>(this.#hash)
  }

  get size(): number {
    return this.#table.size
  }

  get(outpoint: Outpoint): Entry | undefined {
    const position = this.#find(outpoint, this.#hash(outpoint))
    return position < 0 ? undefined : this.#entries[this.#table.numberAt(position)]
  }

  /** Inserts or replaces an entry; returns the replaced one. */
  put(entry: Entry): Entry | undefined {
    const hash = this.#hash(entry.outpoint)
    const position = this.#find(entry.outpoint, hash)
    if (position < 0) {
      this.#insert(hash, entry)
      return undefined
    }
    const index = this.#table.numberAt(position)
    const before = this.#entries[index]
    this.#entries[index] = entry
    return before
  }

  /** Inserts many entries into an empty map. Allocates their slots at once. */
  fill(entries: readonly Entry[]): void {
    this.#table.reserve(entries.length)
    for (const entry of entries) this.put(entry)
  }

  /** Removes and returns an entry; undefined if absent. */
  remove(outpoint: Outpoint): Entry | undefined {
    const position = this.#find(outpoint, this.#hash(outpoint))
    if (position < 0) return undefined
    const index = this.#table.numberAt(position)
    const entry = this.#entries[index]
    this.#table.removeAt(position)
    this.#entries[index] = undefined
    this.#freeIndexes.push(index)
    if (this.#freeIndexes.length > Math.max(MIN_COMPACTED, 16 * this.size)) this.#compact()
    return entry
  }

  clear(): void {
    this.#table.clear()
    this.#entries = []
    this.#freeIndexes.length = 0
  }

  /** A copy of all entries, in no particular order. */
  values(): Entry[] {
    return this.#entries.filter((entry) => entry !== undefined)
  }

  /** The position of an outpoint in the table; -1 if absent. */
  #find({ transactionId, index }: Outpoint, hash: number): number {
    const table = this.#table
    for (let position = table.first(hash); position >= 0; position = table.next(position)) {
      const outpoint = this.#entries[table.numberAt(position)]?.outpoint
      if (outpoint?.index === index && outpoint.transactionId === transactionId) return position
    }
    return -1
  }

  #insert(hash: number, entry: Entry): void {
    const index = this.#freeIndexes.pop() ?? this.#entries.length
    this.#entries[index] = entry
    this.#table.add(hash, index)
  }

  /** Frees the memory of many removed entries. */
  #compact(): void {
    const entries = this.values()
    this.clear()
    this.fill(entries)
  }
}

/**
 * The sets that have outpoints, by the hash of the outpoint: a hint, which the caller verifies, because different
 * outpoints may have equal hashes.
 */
export class SetIndex {
  readonly #table = new HashTable()

  /**
   * Records a set, unless another one has the outpoint: then returns that one's number. -1 once it is recorded.
   * `hasOutpoint`: whether a set, recorded with an equal hash, has it.
   */
  claim(hash: number, set: number, hasOutpoint: (other: number) => boolean): number {
    const table = this.#table
    let isRecorded = false
    for (let position = table.first(hash); position >= 0; position = table.next(position)) {
      const other = table.numberAt(position)
      if (other === set) isRecorded = true
      else if (hasOutpoint(other)) return other
    }
    if (!isRecorded) table.add(hash, set)
    return -1
  }

  /** Claims many for one set, row by row; returns the rows whose outpoint another set has. */
  claimRows(hashes: Int32Array, set: number, hasRow: (row: number, other: number) => boolean): readonly number[] {
    this.reserve(hashes.length)
    const refused: number[] = []
    for (let first = 0; first < hashes.length;) {
      const row = this.#table.addNew(hashes, first, set, 0)
      first = row + 1
      if (row === hashes.length) break
      if (this.claim(hashes[row] ?? 0, set, (other) => hasRow(row, other)) >= 0) refused.push(row)
    }
    return refused
  }

  release(hash: number, set: number): void {
    const table = this.#table
    for (let position = table.first(hash); position >= 0; position = table.next(position)) {
      if (table.numberAt(position) !== set) continue
      table.removeAt(position)
      return
    }
  }

  /** Allocates the slots of so many more, at once. */
  reserve(count: number): void {
    this.#table.reserve(count)
  }

  clear(): void {
    this.#table.clear()
  }
}
