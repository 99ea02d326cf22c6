import type { SighashParts } from '../../../model/sighash.js'
import type { Transaction, TransactionInput } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'

/** An input with the data to verify its scripts. */
export interface Spending {
  readonly transaction: Transaction
  readonly index: number
  readonly input: TransactionInput
  /** The spent UTXOs of all inputs. */
  readonly spent: readonly UtxoEntry[]
  readonly utxo: UtxoEntry
  /** Sighash parts shared by all inputs. */
  readonly parts: SighashParts
}
