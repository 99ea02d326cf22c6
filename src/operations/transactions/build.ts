import { commitAmounts } from '../../model/amount-commitment.js'
import { createTransaction, type Transaction, type TransactionInput } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { Outpoint, ScriptPublicKey } from '../../model/utxo.js'
import type { Utxo, Draft } from './plan/draft.js'

/** An unsigned transaction of a plan, with its id. */
export interface BuiltTransaction {
  readonly id: string
  /** Its `mass` field is the storage mass. */
  readonly transaction: Transaction
  /** The spent outputs, in the order of the inputs. */
  readonly spent: readonly SpentUtxo[]
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of compute mass, storage mass and half the transient mass. */
  readonly mass: bigint
}

/** An output that a plan spends. */
export interface SpentUtxo {
  readonly outpoint: Outpoint
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** Undefined where it is not known. */
  readonly isCoinbase?: boolean | undefined
  /** The covenant of the contract whose output it is; a key alone does not spend it. */
  readonly covenantId?: string | undefined
}

export interface BuildOptions {
  /**
   * Whether the sequences commit to the amounts of all inputs; otherwise they are 0, which sets no relative lock time.
   */
  readonly commitsAmounts: boolean
  /** Signature operations of each input. @default 1 */
  readonly sigOpCount?: number | undefined
}

/**
 * Builds transactions from drafts. Ids do not depend on signatures, so a later transaction can spend an earlier one.
 */
export function build(
  drafts: readonly Draft[],
  { commitsAmounts, sigOpCount = 1 }: BuildOptions,
): readonly BuiltTransaction[] {
  const ids = new Map<Draft, string>()
  return drafts.map((draft) => {
    const spent = draft.utxos.map((utxo) => toSpent(utxo, ids))
    const sequences = commitsAmounts ? commitAmounts(spent) : []
    const inputs = spent.map((utxo, index) => toInput(utxo, sequences[index] ?? 0n, sigOpCount))
    const { outputs, payload, masses } = draft
    const transaction = createTransaction({ inputs, outputs, payload, mass: masses.storage })
    const id = transactionId(transaction)
    ids.set(draft, id)
    return { id, transaction, spent, fee: draft.fee, mass: massOf(draft) }
  })
}

export const massOf = ({ masses: { relay, storage } }: Draft): bigint => (relay > storage ? relay : storage)

function toSpent({ amount, scriptPublicKey, from }: Utxo, ids: ReadonlyMap<Draft, string>): SpentUtxo {
  if ('outpoint' in from)
    return { outpoint: from.outpoint, amount, scriptPublicKey, ...(from.isCoinbase && { isCoinbase: true }) }
  const transactionId = ids.get(from)
  if (transactionId === undefined) throw new TypeError('A draft spends the output of a later draft')
  return { outpoint: { transactionId, index: 0 }, amount, scriptPublicKey }
}

const toInput = ({ outpoint }: SpentUtxo, sequence: bigint, sigOpCount: number): TransactionInput => ({
  previousOutpoint: outpoint,
  signatureScript: '',
  sequence,
  sigOpCount,
})
