import type { TransactionOutput } from './transaction.js'
import type { Outpoint, ScriptPublicKey } from './utxo.js'

/** What a transaction changes in balances, before a chain block accepts it. */
export interface UnconfirmedTransaction {
  readonly id: string
  readonly inputs: readonly UnconfirmedInput[]
  readonly outputs: readonly TransactionOutput[]
}

export interface UnconfirmedInput {
  readonly outpoint: Outpoint
  /** The script of the spent output; a node does not report it. */
  readonly scriptPublicKey?: ScriptPublicKey | undefined
}
