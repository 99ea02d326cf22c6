import { MINIMUM_FEERATE } from '../../../model/mass.js'
import { INPUT_MASS, type Masses } from './frame.js'

/**
 * How fees are reckoned. `minimum`: what nodes ask for at least, at their current rate, which storage mass has no part in.
 * `rate`: the caller's own rate on all masses, as nodes rank transactions by; never below what they ask for.
 */
export interface FeePolicy {
  readonly kind: 'minimum' | 'rate'
  /** Sompi per gram. */
  readonly rate: number
}

/** The fee in sompi that a transaction of these masses must pay. */
export function feeOf({ relay, storage }: Masses, { kind, rate }: FeePolicy): bigint {
  const floor = MINIMUM_FEERATE * relay
  const wanted = toSompi(rate, kind === 'rate' && storage > relay ? storage : relay)
  return wanted > floor ? wanted : floor
}

/**
 * The fee of one more input. So much may a fee lie above what is due, rather than become an output that would cost more
 * to spend than it holds.
 */
export const feeOfInput = (policy: FeePolicy): bigint => feeOf({ relay: INPUT_MASS, storage: 0n }, policy)

/** What a coin must hold more than, to be worth spending: its own fee, and its share in moving 88 of its like together. */
export const feeOfSpending = (policy: FeePolicy): bigint => feeOf({ relay: INPUT_MASS + 19n, storage: 0n }, policy)

function toSompi(rate: number, mass: bigint): bigint {
  return BigInt(Math.ceil(rate * Number(mass)))
}
