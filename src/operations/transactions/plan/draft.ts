import type { TransactionOutput } from '../../../model/transaction.js'
import type { Outpoint, ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import {
  NOTHING_SPENT,
  addSpent,
  massesOf,
  spentBy,
  type Masses,
  type SpentTotals,
  type TransactionTemplate,
} from './template.js'

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
