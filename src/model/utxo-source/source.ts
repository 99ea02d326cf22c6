import type { UtxoColumns, DeadRows } from '../utxo-columns/columns.js'
import type { Outpoint } from '../utxo.js'
import type { AwaitUtxos } from './awaited.js'

/** Columns and which of their rows are UTXOs. Immutable. */
export interface UtxoPart {
  readonly columns: UtxoColumns
  readonly dead: DeadRows
  /** The number of rows that are not dead. */
  readonly live: number
  /** All rows, dead ones too, sorted as `rowsByAmount` does, in steps; kept as long as the columns. */
  readonly sortByAmount: () => Generator<undefined, Uint32Array>
}

/** UTXOs as columns. The rows of all parts are numbered in order, dead ones too. Immutable. */
export interface UtxoRows {
  readonly parts: readonly UtxoPart[]
  /** The number of UTXOs. */
  readonly size: number
  /** The number of rows, dead ones too. */
  readonly count: number
  /** The numbers of all UTXOs by amount, largest first, then by outpoint. Sorted at the first call, in steps. */
  readonly sortByAmount: () => Generator<undefined, Uint32Array>
  /** The columns and the row of a number. */
  readonly locate: (number: number) => LocatedRow
}

/** No UTXOs: what a state has before its rows, whose code is loaded with a tracker. */
export const NO_UTXO_ROWS: UtxoRows = {
  parts: [],
  size: 0,
  count: 0,
  *sortByAmount() {
    yield* []
    return new Uint32Array(0)
  },
  locate: (number) => {
    throw new RangeError(`No row has number ${number}`) // no code path leads here
  },
}

export interface LocatedRow {
  readonly columns: UtxoColumns
  readonly row: number
}

/** Which of the rows a tracker regards as spendable. */
export interface SourceRule {
  /** The DAA score up to which the block of an entry counts. */
  readonly score: bigint
  readonly coinbaseMaturity: bigint
  /** Outpoints that unconfirmed transactions spend. */
  readonly spent: readonly Outpoint[]
}

/**
 * The UTXOs of a tracker at one time, as typed arrays: pass it as `entries` of a payment, which then reads only what it
 * spends. Immutable. Payments skip the same entries as with `UtxoState.entries`, and those that are not in
 * `UtxoState.matureEntries`.
 */
export class UtxoSource {
  /** Keeps Vue from wrapping a source in a proxy. */
  readonly [Symbol.toStringTag] = 'UtxoSource'
  readonly #rows: UtxoRows
  readonly #rule: SourceRule | null
  readonly #awaited: AwaitUtxos<UtxoSource> | null

  private constructor(rows: UtxoRows, rule: SourceRule | null, awaited: AwaitUtxos<UtxoSource> | null) {
    this.#rows = rows
    this.#rule = rule
    this.#awaited = awaited
  }

  /**
   * `rule`: null where the caller of a payment chose the UTXOs.
   * @internal
   */
  static of(rows: UtxoRows, rule: SourceRule | null): UtxoSource {
    return new UtxoSource(rows, rule, null)
  }

  /**
   * A source of UTXOs that are not known yet: payments wait for them.
   * @internal
   */
  static awaiting(awaited: AwaitUtxos<UtxoSource>): UtxoSource {
    return new UtxoSource(NO_UTXO_ROWS, null, awaited)
  }

  /** The number of UTXOs, also of those that are not spendable. */
  get size(): number {
    return this.#rows.size
  }

  /** @internal */
  get rows(): UtxoRows {
    return this.#rows
  }

  /** @internal */
  get rule(): SourceRule | null {
    return this.#rule
  }

  /** @internal */
  get awaited(): AwaitUtxos<UtxoSource> | null {
    return this.#awaited
  }
}
