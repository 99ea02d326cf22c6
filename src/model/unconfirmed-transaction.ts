import type { TransactionOutput } from './transaction.js'
import { toScriptKey, type Outpoint, type ScriptPublicKey, type UtxoEntry } from './utxo.js'

/** What a transaction changes in balances, before a chain block accepts it. */
export interface UnconfirmedTransaction {
  readonly id: string
  readonly inputs: readonly UnconfirmedInput[]
  readonly outputs: readonly TransactionOutput[]
}

/**
 * Chain blocks after which a transaction that has left the mempool no longer counts, if a further read does not list
 * it: a block that no chain block has merged yet may have it.
 */
export const BLOCKS_AFTER_MEMPOOL = 2

/**
 * An outpoint that a transaction spends. It is that of an entry only where script and amount are the entry's: a stored
 * payment of a stranger may name outpoints of anybody.
 */
export interface UnconfirmedInput {
  readonly outpoint: Outpoint
  /** The script of the spent output; a node does not report it. */
  readonly scriptPublicKey?: ScriptPublicKey | undefined
  /** Its amount, sompi; a node does not report it. */
  readonly amount?: bigint | undefined
}

/** Whether an input spends an entry of its outpoint. */
export const spendsEntry = (
  input: Omit<UnconfirmedInput, 'outpoint'>,
  entry: Pick<UtxoEntry, 'scriptPublicKey' | 'amount'>,
): boolean =>
  (input.amount ?? entry.amount) === entry.amount &&
  (input.scriptPublicKey === undefined || toScriptKey(input.scriptPublicKey) === toScriptKey(entry.scriptPublicKey))
