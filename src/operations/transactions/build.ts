import type { Transaction, TransactionInput } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { Outpoint, ScriptPublicKey } from '../../model/utxo.js'
import type { Coin, Draft } from './plan/draft.js'
import { unsignedTransaction } from './plan/frame.js'

/** A transaction of a plan, with its id, not signed yet. */
export interface BuiltTransaction {
  readonly id: string
  /** Commits to its storage mass. */
  readonly transaction: Transaction
  /** What each input spends, in the order of the inputs. */
  readonly spent: readonly SpentCoin[]
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of compute mass, storage mass and half the transient mass. */
  readonly mass: bigint
}

/** An output that a plan spends. */
export interface SpentCoin {
  readonly outpoint: Outpoint
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** Whether it is there already, or is made by an earlier transaction of the plan. */
  readonly origin: 'network' | 'plan'
}

/** Makes transactions of drafts: ids are known before anything is signed, so a later one can spend an earlier one's coin. */
export function build(drafts: readonly Draft[]): readonly BuiltTransaction[] {
  const made = new Map<Draft, string>()
  return drafts.map((draft) => {
    const spent = draft.coins.map((coin) => toSpent(coin, made))
    const unsigned = unsignedTransaction(spent.map(toInput), draft.outputs, draft.payload)
    const transaction = { ...unsigned, mass: draft.masses.storage }
    const id = transactionId(transaction)
    made.set(draft, id)
    return { id, transaction, spent, fee: draft.fee, mass: massOf(draft) }
  })
}

export const massOf = ({ masses: { relay, storage } }: Draft): bigint => (relay > storage ? relay : storage)

function toSpent({ amount, scriptPublicKey, from }: Coin, made: ReadonlyMap<Draft, string>): SpentCoin {
  if ('outpoint' in from) return { outpoint: from.outpoint, amount, scriptPublicKey, origin: 'network' }
  const transactionId = made.get(from)
  if (transactionId === undefined) throw new TypeError('A draft spends what comes after it')
  return { outpoint: { transactionId, index: 0 }, amount, scriptPublicKey, origin: 'plan' }
}

/** Sequence 0 sets no relative lock: the coin may be spent however young it is. */
const toInput = ({ outpoint }: SpentCoin): TransactionInput => ({
  previousOutpoint: outpoint,
  signatureScript: '',
  sequence: 0n,
  sigOpCount: 1,
})
