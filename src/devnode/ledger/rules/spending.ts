import { isMature } from '../../../model/maturity.js'
import type { Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { LOCK_TIME_THRESHOLD, MAX_SOMPI, UNACCEPTED_DAA_SCORE } from '../params.js'
import { nameOutpoint, type Objection } from './objection.js'

/** From where a transaction is judged: the scores of the block it would be in, or of virtual. */
export interface PointOfView {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly pastMedianTime: bigint
  readonly coinbaseMaturity: bigint
}

const MAX_SEQUENCE = 2n ** 64n - 1n
const SEQUENCE_LOCK_DISABLED = 1n << 63n
const SEQUENCE_LOCK_MASK = 0xffff_ffffn

/** Whether the lock time has come. An input of the greatest sequence waives it. */
export function objectToLockTime({ lockTime, inputs }: Transaction, from: PointOfView): Objection {
  if (lockTime === 0n) return undefined
  const reached = lockTime < LOCK_TIME_THRESHOLD ? from.daaScore : from.pastMedianTime
  const locked = lockTime < reached ? -1 : inputs.findIndex(({ sequence }) => sequence !== MAX_SEQUENCE)
  return locked === -1 ? undefined : `transaction input #${String(locked)} is not finalized`
}

/** The wrapper is the mempool's; a block with such an input is merely not taken into the chain. */
export function objectToImmature(spent: readonly UtxoEntry[], { daaScore, coinbaseMaturity }: PointOfView): Objection {
  const index = spent.findIndex((entry) => !isMature(entry, daaScore, coinbaseMaturity))
  const entry = spent[index]
  if (entry === undefined) return undefined
  return (
    `one of the transaction inputs spends an immature UTXO: transaction input #${String(index)} tried to spend coinbase ` +
    `outpoint ${nameOutpoint(entry.outpoint)} with daa score of ${String(entry.blockDaaScore)}\n    while the merging ` +
    `block daa score is ${String(daaScore)} and the coinbase maturity period of ${String(coinbaseMaturity)} hasn't passed yet`
  )
}

export function objectToAmounts({ outputs }: Transaction, spent: readonly UtxoEntry[]): Objection {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  if (available > MAX_SOMPI)
    return `transaction total inputs spending amount is higher than the max allowed of ${String(MAX_SOMPI)}`
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  return paid > available
    ? `transaction tries to spend ${String(paid)} while its total inputs amount is ${String(available)}`
    : undefined
}

/** Sompi that the inputs hold beyond what the outputs take; below zero where there are too few. */
export function feeOf({ outputs }: Transaction, spent: readonly UtxoEntry[]): bigint {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  return outputs.reduce((sum, { value }) => sum - value, available)
}

/** Whether each coin is as old, in DAA score, as its input's sequence demands. */
export function objectToAges(
  { inputs }: Transaction,
  spent: readonly UtxoEntry[],
  { daaScore }: PointOfView,
): Objection {
  const isLocked = inputs.some(({ sequence }, index) => {
    if ((sequence & SEQUENCE_LOCK_DISABLED) !== 0n) return false
    return scoreOf(spent[index]) + (sequence & SEQUENCE_LOCK_MASK) > daaScore
  })
  return isLocked ? 'one of the transaction sequence locks conditions was not met' : undefined
}

/** A coin of the mempool has the score -1, so that it is always old enough for the usual sequences. */
function scoreOf(entry: UtxoEntry | undefined): bigint {
  if (entry === undefined || entry.blockDaaScore === UNACCEPTED_DAA_SCORE) return -1n
  return entry.blockDaaScore
}
