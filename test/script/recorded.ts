import type { Transaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'

/** A spend as the fixtures record it: u64 as decimal text. */
export interface RecordedSpend {
  readonly transaction: Texts<Transaction>
  readonly spent: readonly Texts<UtxoEntry>[]
}

/** A record with text in place of each `bigint`. */
type Texts<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Texts<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Texts<Value[Key]> }
      : Value

export const toTransaction = ({ transaction }: RecordedSpend): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map(({ sequence, ...input }) => ({ ...input, sequence: BigInt(sequence) })),
  outputs: transaction.outputs.map(({ value, ...output }) => ({ ...output, value: BigInt(value) })),
  lockTime: BigInt(transaction.lockTime),
  gas: BigInt(transaction.gas),
  mass: BigInt(transaction.mass),
})

export const toSpent = ({ spent }: RecordedSpend): readonly UtxoEntry[] =>
  spent.map(({ amount, blockDaaScore, ...entry }) => ({
    ...entry,
    amount: BigInt(amount),
    blockDaaScore: BigInt(blockDaaScore),
  }))
