import type { SighashParts } from '../../../model/sighash.js'
import type { Transaction, TransactionInput } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'

/** One input about to prove that it may spend its coin. */
export interface Spending {
  readonly transaction: Transaction
  readonly index: number
  readonly input: TransactionInput
  /** The coins of all inputs, by input. */
  readonly spent: readonly UtxoEntry[]
  readonly coin: UtxoEntry
  /** The hashes that all inputs' signatures share. */
  readonly parts: SighashParts
}
