import type { TransactionOutput } from '../../../model/transaction.js'
import {
  type Outpoint,
  type ScriptPublicKey,
  type UtxoEntry,
  toOutpointKey,
  type OutpointKey,
} from '../../../model/utxo.js'
import {
  NOTHING_SPENT,
  addSpent,
  massesOf,
  spentBy,
  type Masses,
  type SpentTotals,
  type TransactionTemplate,
} from './template.js'
import { outpointAt } from '../../../model/utxo-columns/outpoint-filter.js'
import { isCoinbaseAt, scriptAt } from '../../../model/utxo-columns/records.js'
import { readBigInt } from '../../../model/utxo-columns/words.js'
import type { LocatedRow, UtxoRows } from '../../../model/utxo-source/source.js'
import { ChainError } from '../../../errors/chain-error.js'

/** A UTXO to spend: an existing one, or the output of an earlier transaction of the same plan. */
export interface Utxo {
  /** Sompi. */
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** What spending it adds to a transaction. */
  readonly spent: SpentTotals
  readonly from: { readonly outpoint: Outpoint; readonly isCoinbase: boolean } | Draft
}

/** UTXOs by position: an array, or rows that become objects when they are read. */
export interface UtxoList extends Iterable<Utxo> {
  readonly length: number
  at(position: number): Utxo | undefined
  slice(start?: number, end?: number): readonly Utxo[]
}

/** A transaction with final inputs, amounts and fee, but without ids. */
export interface Draft {
  readonly utxos: readonly Utxo[]
  /** Payments first, change last. */
  readonly outputs: readonly TransactionOutput[]
  /** Sompi. */
  readonly fee: bigint
  readonly masses: Masses
  /** Hex. */
  readonly payload: string
}

/** The transaction of a template that spends `utxos`, with an output for `change` above zero. */
export function createDraft(
  template: TransactionTemplate,
  utxos: readonly Utxo[],
  { change, fee }: { readonly change: bigint; readonly fee: bigint },
): Draft {
  const changeOutputs = change > 0n ? [{ value: change, scriptPublicKey: template.change }] : []
  const masses = massesOf(template, totalOf(utxos), change)
  return { utxos, outputs: [...template.outputs, ...changeOutputs], fee, masses, payload: template.payload }
}

export const totalOf = (utxos: readonly Utxo[]): SpentTotals =>
  utxos.reduce((sum, { spent }) => addSpent(sum, spent), NOTHING_SPENT)

export const utxoOfEntry = (entry: UtxoEntry): Utxo => ({
  amount: entry.amount,
  scriptPublicKey: entry.scriptPublicKey,
  spent: spentBy(entry),
  from: entry,
})

/** The UTXO that a draft with one output creates. */
export function utxoOfDraft(draft: Draft): Utxo {
  const [output] = draft.outputs
  if (output === undefined) throw new TypeError('A draft without outputs creates no UTXO')
  const created = { amount: output.value, scriptPublicKey: output.scriptPublicKey }
  return { ...created, spent: spentBy(created), from: draft }
}

/**
 * Rows as a list of UTXOs, in the order of their numbers. A UTXO is created each time it is read, and its id when it is
 * spent.
 */
export class RowList implements UtxoList {
  readonly #rows: UtxoRows
  readonly #numbers: Uint32Array

  constructor(rows: UtxoRows, numbers: Uint32Array) {
    this.#rows = rows
    this.#numbers = numbers
  }

  get length(): number {
    return this.#numbers.length
  }

  at(position: number): Utxo | undefined {
    const number = this.#numbers.at(position)
    return number === undefined ? undefined : this.#read(number)
  }

  slice(start?: number, end?: number): readonly Utxo[] {
    return Array.from(this.#numbers.subarray(start, end), (number) => this.#read(number))
  }

  *[Symbol.iterator](): Iterator<Utxo> {
    for (const number of this.#numbers) yield this.#read(number)
  }

  #read(number: number): Utxo {
    const located = this.#rows.locate(number)
    const { scriptPublicKey } = scriptAt(located.columns, located.row)
    const { columns, row } = located
    const output = { amount: readBigInt(columns.amounts, row), scriptPublicKey }
    const spent = spentBy({ ...output, covenantId: columns.covenantIds.get(row) })
    return { ...output, spent, from: new RowOutpoint(located) }
  }
}

/** The outpoint of a row, whose text is created when it is first read. */
class RowOutpoint {
  readonly #located: LocatedRow
  #outpoint: Outpoint | undefined

  constructor(located: LocatedRow) {
    this.#located = located
  }

  get outpoint(): Outpoint {
    return (this.#outpoint ??= outpointAt(this.#located.columns, this.#located.row))
  }

  get isCoinbase(): boolean {
    return isCoinbaseAt(this.#located.columns, this.#located.row)
  }
}

/**
 * Throws `ChainError` (`malformed`) where a plan spends a UTXO twice: a node reported it twice, or a transaction of the
 * mempool that does.
 */
export function requireDistinctInputs(drafts: readonly Draft[]): void {
  const spent = new Set<OutpointKey>()
  for (const { from } of drafts.flatMap(({ utxos }) => utxos)) {
    if (!('outpoint' in from)) continue
    const key = toOutpointKey(from.outpoint)
    if (spent.has(key)) throw spentTwice(key)
    spent.add(key)
  }
}

const spentTwice = (key: OutpointKey): ChainError =>
  new ChainError(`The payment would spend ${key} twice`, {
    code: 'malformed',
    argument: 'entries',
    hint: 'A node reported it twice: read the entries again from another node.',
  })
