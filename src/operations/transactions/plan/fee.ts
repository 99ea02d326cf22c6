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
  /** Whose place is to be taken: nodes want more for each gram, of the greatest of all masses. */
  readonly outbid?: Bid | undefined
}

/** What a transaction in the mempool pays. */
export interface Bid {
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of its masses. */
  readonly mass: bigint
}

/** The fee in sompi that a transaction of these masses must pay. */
export function feeOf({ relay, storage }: Masses, { kind, rate, outbid }: FeePolicy): bigint {
  const greatest = storage > relay ? storage : relay
  return highest(
    MINIMUM_FEERATE * relay,
    toSompi(rate, kind === 'rate' ? greatest : relay),
    outbid === undefined ? 0n : outbidding(outbid, greatest),
  )
}

/**
 * The fee of one more input. So much may a fee lie above what is due, rather than become an output that would cost more
 * to spend than it holds.
 */
export const feeOfInput = (policy: FeePolicy): bigint => feeOf({ relay: INPUT_MASS, storage: 0n }, policy)

/** What a coin must hold more than, to be worth spending: its own fee, and its share in moving 88 of its like together. */
export const feeOfSpending = (policy: FeePolicy): bigint => feeOf({ relay: INPUT_MASS + 19n, storage: 0n }, policy)

/** Sompi that a gram of storage mass costs; 0 where it is free. */
export const storagePrice = ({ kind, rate, outbid }: FeePolicy): number =>
  Math.max(kind === 'rate' ? rate : 0, outbid === undefined ? 0 : rateOf(outbid))

/** Sompi per gram. */
export const rateOf = ({ fee, mass }: Bid): number => Number(fee) / Number(mass)

function toSompi(rate: number, mass: bigint): bigint {
  return BigInt(Math.ceil(rate * Number(mass)))
}

/** One sompi above the same rate, rounded up: nodes compare rates as floating-point numbers, in which a trifle is lost. */
const outbidding = ({ fee, mass }: Bid, grams: bigint): bigint => (fee * grams + mass - 1n) / mass + 1n

const highest = (...amounts: readonly bigint[]): bigint =>
  amounts.reduce((most, amount) => (amount > most ? amount : most))
