import { ChainError } from '../../../errors/chain-error.js'
import { MINIMUM_FEERATE } from '../../../model/mass.js'
import type { Call } from '../../queries/call.js'
import { KEY_INPUT, type InputCost, type Masses } from './template.js'

/** Fee rates by name: `low` is confirmed within an hour, `normal` within a minute, `priority` in the next blocks. */
export type FeeRateName = 'low' | 'normal' | 'priority'

/** Sompi per gram. `minimum` is the node's lowest rate; no other is below it. */
type NodeFeeRates = Readonly<Record<FeeRateName | 'minimum', number>>

/** Above this rate the fee of the smallest transaction exceeds the maximum supply. */
export const MAX_FEERATE = 1e15

/**
 * The node's fee rates, never below the relay minimum. Not bounded otherwise: `maxFee` bounds the fees of the plan.
 * Rejects with `ChainRpcError`, and with `ChainError` (`malformed`) for a rate that is no rate.
 */
export async function fetchFeeRates(call: Call): Promise<NodeFeeRates> {
  const { estimate } = await call('getFeeEstimate', {})
  const { lowBuckets, normalBuckets, priorityBucket } = estimate
  const minimum = highestRate(Number(MINIMUM_FEERATE), ...lowBuckets.map(({ feerate }) => feerate))
  const normal = highestRate(minimum, ...normalBuckets.slice(0, 1).map(({ feerate }) => feerate))
  return { minimum, low: minimum, normal, priority: highestRate(normal, priorityBucket.feerate) }
}

/** Throws where a rate is not a number, or too large to compute with. */
function highestRate(...rates: readonly number[]): number {
  const rate = Math.max(...rates)
  if (rate <= MAX_FEERATE) return rate
  throw new ChainError(`No fee can be computed: the node requires ${rate} sompi per gram`, {
    code: 'malformed',
    hint: 'Connect to another node.',
  })
}

/**
 * How fees are computed. `minimum`: the node's current minimum rate, which does not apply to storage mass.
 * `rate`: the caller's rate on the greatest mass, by which nodes rank transactions; never below the minimum.
 */
export interface FeePolicy {
  readonly kind: 'minimum' | 'rate'
  /** Sompi per gram. */
  readonly rate: number
  /** What the transaction to be replaced pays: nodes require a higher feerate, of the greatest of all masses. */
  readonly replacedFee?: PaidFee | undefined
  /** What an input adds. @default one with one signature */
  readonly input?: InputCost | undefined
}

/** What a transaction in the mempool pays. */
export interface PaidFee {
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of its masses. */
  readonly mass: bigint
}

/** The fee in sompi that a transaction of these masses must pay. */
export function feeOf({ relay, storage }: Masses, { kind, rate, replacedFee }: FeePolicy): bigint {
  const greatest = storage > relay ? storage : relay
  return highest(
    MINIMUM_FEERATE * relay,
    toSompi(rate, kind === 'rate' ? greatest : relay),
    replacedFee === undefined ? 0n : replacementFee(replacedFee, greatest),
  )
}

/**
 * The fee of one more input. Change up to this amount is added to the fee: its output would cost more to spend than it
 * holds.
 */
export const feeOfInput = (policy: FeePolicy): bigint => feeOf({ relay: massOfInput(policy), storage: 0n }, policy)

/** The dust limit: the fee of a UTXO's own input, and its share in a compound transaction, of 88 inputs of keys. */
export function feeOfSpending(policy: FeePolicy): bigint {
  const mass = massOfInput(policy)
  return feeOf({ relay: mass + (mass * 19n) / KEY_INPUT.mass, storage: 0n }, policy)
}

const massOfInput = ({ input = KEY_INPUT }: FeePolicy): bigint => input.mass

/** Sompi per gram of storage mass; 0 where it is free. */
export const storagePrice = ({ kind, rate, replacedFee }: FeePolicy): number =>
  Math.max(kind === 'rate' ? rate : 0, replacedFee === undefined ? 0 : feerateOf(replacedFee))

/** Sompi per gram. */
export const feerateOf = ({ fee, mass }: PaidFee): number => Number(fee) / Number(mass)

function toSompi(rate: number, mass: bigint): bigint {
  return BigInt(Math.ceil(rate * Number(mass)))
}

/**
 * One sompi above the same rate, rounded up: nodes compare rates as floating-point numbers, which lose small
 * differences.
 */
const replacementFee = ({ fee, mass }: PaidFee, grams: bigint): bigint => (fee * grams + mass - 1n) / mass + 1n

const highest = (...amounts: readonly bigint[]): bigint =>
  amounts.reduce((most, amount) => (amount > most ? amount : most))
