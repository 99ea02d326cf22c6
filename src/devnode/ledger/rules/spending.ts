import { isMature } from '../../../model/spendable.js'
import {
  type Transaction,
  LOCK_TIME_THRESHOLD,
  MAX_SEQUENCE,
  SEQUENCE_LOCK_DISABLED,
  SEQUENCE_LOCK_MASK,
} from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { MAX_SOMPI } from '../../../model/amount.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'
import { formatOutpoint, type Violation } from '../../../model/transaction-rules/violation.js'

/** Where a transaction is validated: the scores of its including block or of virtual. */
export interface InclusionContext {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly pastMedianTime: bigint
  readonly coinbaseMaturity: bigint
}

/** The lock time must be reached, or every input has the maximum sequence. */
export function validateLockTime({ lockTime, inputs }: Transaction, inclusion: InclusionContext): Violation {
  if (lockTime === 0n) return undefined
  const current = lockTime < LOCK_TIME_THRESHOLD ? inclusion.daaScore : inclusion.pastMedianTime
  const locked = lockTime < current ? -1 : inputs.findIndex(({ sequence }) => sequence !== MAX_SEQUENCE)
  return locked === -1 ? undefined : `transaction input #${String(locked)} is not finalized`
}

/**
 * The message is that of the mempool. A block with such a transaction is disqualified from the chain without a message.
 */
export function validateMaturity(
  spent: readonly UtxoEntry[],
  { daaScore, coinbaseMaturity }: InclusionContext,
): Violation {
  const index = spent.findIndex((entry) => !isMature(entry, daaScore, coinbaseMaturity))
  const entry = spent[index]
  if (entry === undefined) return undefined
  return (
    `one of the transaction inputs spends an immature UTXO: transaction input #${String(index)} tried to spend coinbase ` +
    `outpoint ${formatOutpoint(entry.outpoint)} with daa score of ${String(entry.blockDaaScore)}\n    while the merging ` +
    `block daa score is ${String(daaScore)} and the coinbase maturity period of ${String(coinbaseMaturity)} hasn't passed yet`
  )
}

export function validateAmounts({ outputs }: Transaction, spent: readonly UtxoEntry[]): Violation {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  if (available > MAX_SOMPI)
    return `transaction total inputs spending amount is higher than the max allowed of ${String(MAX_SOMPI)}`
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  return paid > available
    ? `transaction tries to spend ${String(paid)} while its total inputs amount is ${String(available)}`
    : undefined
}

/** Inputs minus outputs, in sompi; negative if the outputs exceed the inputs. */
export function feeOf({ outputs }: Transaction, spent: readonly UtxoEntry[]): bigint {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  return outputs.reduce((sum, { value }) => sum - value, available)
}

/** The age of each spent UTXO, in DAA score, must reach the sequence of its input. */
export function validateSequenceLocks(
  { inputs }: Transaction,
  spent: readonly UtxoEntry[],
  { daaScore }: InclusionContext,
): Violation {
  const isLocked = inputs.some(({ sequence }, index) => {
    if ((sequence & SEQUENCE_LOCK_DISABLED) !== 0n) return false
    return scoreOf(spent[index]) + (sequence & SEQUENCE_LOCK_MASK) > daaScore
  })
  return isLocked ? 'one of the transaction sequence locks conditions was not met' : undefined
}

/** A UTXO created in the mempool has the score -1, so that it meets common sequences. */
function scoreOf(entry: UtxoEntry | undefined): bigint {
  if (entry === undefined || entry.blockDaaScore === UNACCEPTED_DAA_SCORE) return -1n
  return entry.blockDaaScore
}
