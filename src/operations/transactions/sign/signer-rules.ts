import type { Steps } from '../../../loading/steps.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import type { UtxoRows } from '../../../model/utxo-source/source.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'

/** The limits of a signer, as rules of a plan. */
export interface SignerRules {
  /** Inputs of a transaction, at most. */
  readonly maxInputs: number
  /** Throws `SignerLimitError` where a payment has what the signer cannot sign. */
  readonly requireFits: (payment: LimitedPayment) => void
  /** Throws `SignerLimitError` where UTXOs that must be spent are not those of one transaction of the signer. */
  readonly requireInputs: (entries: readonly UtxoEntry[]) => void
  /** Sets the class of the rows of a class that the signer cannot sign, in steps. */
  readonly mark: (rows: UtxoRows, classes: Uint8Array, from: number, to: number) => Steps<void>
}

/** What a signer must be able to sign of a payment, whatever it spends. */
export interface LimitedPayment {
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly commitsAmounts: boolean
}
