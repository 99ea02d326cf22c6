import type { SignatureOf } from '../../model/contracts/value-codec.js'
import type { TransactionInput } from '../../model/transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'

/** An input that spends an output of a contract by a call. */
export interface ContractSpend {
  readonly utxo: UtxoEntry
  readonly entry: string
  /** Its signature script, hex; without `sign` with placeholders in place of signatures. */
  readonly script: (sign?: SignatureOf) => string
  /** @default 0n */
  readonly sequence?: bigint | undefined
  /** The compute budget, for a script that cannot be executed here. @default what its execution uses */
  readonly budget?: number | undefined
}

/** The unsigned inputs of calls, with their compute budgets. */
export const toInputs = (spends: readonly ContractSpend[], budgets: readonly number[]): readonly TransactionInput[] =>
  spends.map(({ utxo, script, sequence = 0n }, at) => ({
    previousOutpoint: utxo.outpoint,
    signatureScript: script(),
    sequence,
    sigOpCount: 0,
    computeBudget: budgets[at] ?? 0,
  }))
