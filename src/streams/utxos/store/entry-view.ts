import {
  COINBASE,
  COVENANT,
  type UtxoColumns,
  isDead,
  markDead,
  noDeadRows,
  type DeadRows,
} from '../../../model/utxo-columns/columns.js'
import { isPackable, toUtxoColumns } from '../../../model/utxo-columns/records.js'
import { WordSum, isAbove, toBound, type Bound } from '../../../model/utxo-columns/words.js'
import { maturityScore } from '../../../model/spendable.js'
import { createUtxoPart } from '../../../model/utxo-source/rows.js'
import type { UtxoPart } from '../../../model/utxo-source/source.js'
import { toOutpointKey, type Outpoint, type UtxoEntry } from '../../../model/utxo.js'
import type { ColumnIndex } from './column-index.js'
import type { OutpointHash } from './outpoint-hash.js'

/**
 * Entries of one address at one time: live rows of columns, and records. Immutable; rows become records when they are
 * read.
 */
export class EntryView implements Iterable<UtxoEntry> {
  readonly length: number
  readonly #base: ColumnIndex | null
  readonly #dead: DeadRows
  readonly #live: number
  readonly #records: readonly UtxoEntry[]

  /** `live`: the number of rows of `base` that are not dead. */
  constructor(base: ColumnIndex | null, dead: DeadRows, live: number, records: readonly UtxoEntry[]) {
    this.#base = base
    this.#dead = dead
    this.#live = live
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

  /** The entries as columns, without records that columns cannot hold: those have no valid outpoint. */
  toParts(): UtxoPart[] {
    const base = this.#base
    const records = toUtxoColumns(this.#records) ?? toUtxoColumns(this.#records.filter(isPackable))
    const parts: UtxoPart[] = []
    if (base !== null && this.#live > 0)
      parts.push({ columns: base.columns, dead: this.#dead, live: this.#live, sortByAmount: base.sortByAmount })
    if (records !== undefined && records.count > 0) parts.push(createUtxoPart(records))
    return parts
  }

  /** These entries without those of some outpoints, and with others. */
  change(removed: Iterable<Outpoint>, added: readonly UtxoEntry[]): EntryView {
    const records = new Map(this.#records.map((entry) => [toOutpointKey(entry.outpoint), entry]))
    const base = this.#base
    const dead = base === null ? null : (this.#dead?.slice() ?? noDeadRows(base.columns.count))
    let live = this.#live
    for (const outpoint of removed) {
      if (records.delete(toOutpointKey(outpoint)) || dead === null) continue
      const row = base?.find(outpoint) ?? -1
      if (row < 0 || isDead(dead, row)) continue
      markDead(dead, row)
      live--
    }
    return new EntryView(base, dead, live, [...records.values(), ...added])
  }

  /** At most `count` of the entries. */
  first(count: number): UtxoEntry[] {
    const entries = this.#records.slice(-count)
    this.#eachRow((row, _, base) => {
      if (entries.length < count) entries.push(base.entryAt(row))
    })
    return entries
  }

  /** Visits the hashes of all outpoints, in no particular order. Creates no record. */
  eachHash(hash: OutpointHash, visit: (hash: number) => void): void {
    this.#eachRow((row, columns) => visit(hash.ofRow(columns, row)))
    for (const { outpoint } of this.#records) visit(hash(outpoint))
  }

  /** Sum of the amounts, in sompi. */
  sum(): bigint {
    const sum = new WordSum()
    this.#eachRow((row, { amounts }) => sum.add(amounts, row))
    return this.#records.reduce((total, { amount }) => total + amount, sum.total)
  }

  /**
   * Sum of the entries that are mature at `score` and not bound by a covenant, in sompi; calls `onOther` with each
   * other one.
   */
  sumMature(score: bigint, coinbaseMaturity: bigint, onOther: (entry: UtxoEntry) => void): bigint {
    const sum = new WordSum()
    const base = this.#base
    if (base !== null) {
      const bounds = { regular: toBound(score), coinbase: toBound(score - coinbaseMaturity) }
      sumMatureRows(base.columns, this.#dead, bounds, sum, (row) => onOther(base.entryAt(row)))
    }
    let { total } = sum
    for (const entry of this.#records) {
      if (entry.covenantId === undefined && maturityScore(entry, coinbaseMaturity) <= score) total += entry.amount
      else onOther(entry)
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

/** The highest DAA scores of mature entries. */
interface MaturityBounds {
  readonly regular: Bound
  readonly coinbase: Bound
}

/** Adds the amounts of the mature rows that are not bound, and calls `onOther` with each other one that is live. */
function sumMatureRows(
  columns: UtxoColumns,
  dead: Uint8Array | null,
  bounds: MaturityBounds,
  sum: WordSum,
  onOther: (row: number) => void,
): void {
  for (let first = 0; first < columns.count;) {
    const row = matureEnd(columns, dead, bounds, first)
    sum.addRows(columns.amounts, first, row)
    if (row < columns.count && !isDead(dead, row)) onOther(row)
    first = row + 1
  }
}

/** The first row that is dead, immature or bound by a covenant; the number of rows if there is none. */
function matureEnd(
  { count, flags, daaScores }: UtxoColumns,
  dead: Uint8Array | null,
  { regular, coinbase }: MaturityBounds,
  first: number,
): number {
  for (let row = first; row < count; row++) {
    const flag = flags[row] ?? 0
    const isCounted = (flag & COVENANT) === 0 && !isDead(dead, row)
    if (!isCounted || isAbove(daaScores, row, (flag & COINBASE) === 0 ? regular : coinbase)) return row
  }
  return count
}

/** Finds the entries of a view that a snapshot does not repeat. */
export class EntryMarks {
  readonly #base: ColumnIndex | null
  /** Dead and marked rows. */
  readonly #rows: Uint8Array
  readonly #records: Set<UtxoEntry>

  constructor(base: ColumnIndex | null, dead: DeadRows, records: readonly UtxoEntry[]) {
    this.#base = base
    this.#rows = dead?.slice() ?? noDeadRows(base?.columns.count ?? 0)
    this.#records = new Set(records)
  }

  markRow(row: number): void {
    markDead(this.#rows, row)
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
