import { COINBASE, COVENANT, type UtxoColumns } from '../../model/utxo-columns/columns.js'
import { WordSum, isAbove, toBound } from '../../model/utxo-columns/words.js'
import { maturityScore } from '../../model/maturity.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { isDead, type ColumnIndex } from './column-index.js'

/** Entries of a change: records, or a view where they are many. */
export type EntryList = readonly UtxoEntry[] | EntryView

/** Entries of one address at one time: live rows of columns, and records. Immutable; rows become records when they are read. */
export class EntryView implements Iterable<UtxoEntry> {
  readonly length: number
  readonly #base: ColumnIndex | null
  readonly #dead: Uint8Array | null
  readonly #records: readonly UtxoEntry[]

  /** `live`: the number of rows of `base` without a bit in `dead`. */
  constructor(base: ColumnIndex | null, dead: Uint8Array | null, live: number, records: readonly UtxoEntry[]) {
    this.#base = base
    this.#dead = dead
    this.#records = records
    this.length = live + records.length
  }

  /** The entries as a new array. */
  toArray(): UtxoEntry[] {
    const entries = this.#base?.entries(this.#dead) ?? []
    return this.#records.length === 0 ? entries : entries.concat(this.#records)
  }

  [Symbol.iterator](): Iterator<UtxoEntry> {
    return this.toArray()[Symbol.iterator]()
  }

  /** At most `count` of the entries. */
  first(count: number): UtxoEntry[] {
    const entries = this.#records.slice(-count)
    this.#eachRow((row, _, base) => {
      if (entries.length < count) entries.push(base.entryAt(row))
    })
    return entries
  }

  /** Sum of the amounts, in sompi. */
  sum(): bigint {
    const sum = new WordSum()
    this.#eachRow((row, { amounts }) => sum.add(amounts, row))
    return this.#records.reduce((total, { amount }) => total + amount, sum.total)
  }

  /**
   * Sum of the entries that are mature at `score`, in sompi; calls `onImmature` with each other one. Entries with a covenant
   * are left out, since they are not spendable.
   */
  sumMature(score: bigint, coinbaseMaturity: bigint, onImmature: (entry: UtxoEntry) => void): bigint {
    const sum = new WordSum()
    const regular = toBound(score)
    const coinbase = toBound(score - coinbaseMaturity)
    this.#eachRow((row, { flags, daaScores, amounts }, base) => {
      const flag = flags[row] ?? 0
      if ((flag & COVENANT) !== 0) return
      if (isAbove(daaScores, row, (flag & COINBASE) === 0 ? regular : coinbase)) onImmature(base.entryAt(row))
      else sum.add(amounts, row)
    })
    let { total } = sum
    for (const entry of this.#records) {
      if (entry.covenantId !== undefined) continue
      if (maturityScore(entry, coinbaseMaturity) <= score) total += entry.amount
      else onImmature(entry)
    }
    return total
  }

  #eachRow(visit: (row: number, columns: UtxoColumns, base: ColumnIndex) => void): void {
    const base = this.#base
    if (base === null) return
    for (let row = 0; row < base.columns.count; row++) {
      if (!isDead(this.#dead, row)) visit(row, base.columns, base)
    }
  }

  /** Marks of the entries, for a comparison with a snapshot. */
  marks(): EntryMarks {
    return new EntryMarks(this.#base, this.#dead, this.#records)
  }
}

/** Finds the entries of a view that a snapshot does not repeat. */
export class EntryMarks {
  readonly #base: ColumnIndex | null
  /** Dead and marked rows. */
  readonly #rows: Uint8Array
  readonly #records: Set<UtxoEntry>

  constructor(base: ColumnIndex | null, dead: Uint8Array | null, records: readonly UtxoEntry[]) {
    this.#base = base
    this.#rows = dead?.slice() ?? new Uint8Array(((base?.columns.count ?? 0) + 7) >> 3)
    this.#records = new Set(records)
  }

  markRow(row: number): void {
    this.#rows[row >> 3] = (this.#rows[row >> 3] ?? 0) | (1 << (row & 7))
  }

  /** Marks an entry of the view; ignores any other. */
  mark(entry: UtxoEntry): void {
    if (this.#records.delete(entry)) return
    const row = this.#base?.find(entry.outpoint) ?? -1
    if (row >= 0) this.markRow(row)
  }

  unmarked(): UtxoEntry[] {
    return [...(this.#base?.entries(this.#rows) ?? []), ...this.#records]
  }
}
