import { NO_STORAGE, addStorage, storageOf, type StorageTotals } from '../../../model/storage-mass.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import { massesOf, type Frame, type Masses } from './frame.js'

/** A coin to spend: one that is there, or one that an earlier transaction of the same plan will have made. */
export interface Coin {
  /** Sompi. */
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** The same as storage mass has it, ready to be added up. */
  readonly stored: StorageTotals
  readonly from: UtxoEntry | Draft
}

/** A transaction whose coins, amounts and fee are settled; ids come later. */
export interface Draft {
  readonly coins: readonly Coin[]
  /** Payments first, change last. */
  readonly outputs: readonly TransactionOutput[]
  /** Sompi. */
  readonly fee: bigint
  readonly masses: Masses
  /** Hex. */
  readonly payload: string
}

/** The transaction of a frame that spends `coins` and gives back `change`. */
export function createDraft(
  frame: Frame,
  coins: readonly Coin[],
  { change, fee }: { readonly change: bigint; readonly fee: bigint },
): Draft {
  const rest = change > 0n ? [{ value: change, scriptPublicKey: frame.change }] : []
  const masses = massesOf(frame, totalOf(coins), change)
  return { coins, outputs: [...frame.outputs, ...rest], fee, masses, payload: frame.payload }
}

export const totalOf = (coins: readonly Coin[]): StorageTotals =>
  coins.reduce((sum, { stored }) => addStorage(sum, stored), NO_STORAGE)

export const coinOfEntry = (entry: UtxoEntry): Coin => ({
  amount: entry.amount,
  scriptPublicKey: entry.scriptPublicKey,
  stored: storageOf(entry),
  from: entry,
})

/** The coin that a draft with one output makes. */
export function coinOfDraft(draft: Draft): Coin {
  const [output] = draft.outputs
  if (output === undefined) throw new TypeError('A draft without outputs makes no coin')
  const made = { amount: output.value, scriptPublicKey: output.scriptPublicKey }
  return { ...made, stored: storageOf(made), from: draft }
}
