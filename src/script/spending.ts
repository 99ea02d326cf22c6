import { sighashParts, type SighashParts } from '../model/sighash.js'
import type { Transaction, TransactionInput } from '../model/transaction.js'
import type { UtxoEntry } from '../model/utxo.js'
import { covenantRelations, type CovenantRelations } from './covenant-relations.js'

/** What the scripts of all inputs of a transaction read. */
export interface SpendingContext {
  readonly transaction: Transaction
  /** The spent UTXOs of all inputs. */
  readonly spent: readonly UtxoEntry[]
  /** Sighash parts shared by all inputs. */
  readonly parts: SighashParts
  readonly covenants: CovenantRelations
}

/** An input with the data to execute its scripts. */
export interface Spending extends SpendingContext {
  readonly index: number
  readonly input: TransactionInput
  readonly utxo: UtxoEntry
}

/**
 * Prepares a transaction for the execution of its inputs. `spent` are the outputs that it spends, in the order of its
 * inputs.
 */
export const toSpendingContext = (transaction: Transaction, spent: readonly UtxoEntry[]): SpendingContext => ({
  transaction,
  spent,
  parts: sighashParts(transaction),
  covenants: covenantRelations(transaction, spent),
})
