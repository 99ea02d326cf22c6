import { STORAGE_PARAMETER, type StorageTotals } from '../../../model/storage-mass.js'
import { feeOf, feeOfInput, storagePrice, type FeePolicy } from './fee.js'
import { MASS_LIMIT, fits, massesOf, type Frame } from './frame.js'

/**
 * What becomes of the rest once certain coins pay for certain outputs:
 * - `settled`: so much change (0n: none) and so much fee.
 * - `short`: the coins do not cover outputs and fee; `missing` sompi.
 * - `too-heavy`: the outputs are so small that no node takes the transaction.
 * - `odd`: what is left over (`excess` beyond the fee due) can neither be an output nor, under a strict rate, be fee.
 */
export type Settlement =
  | { readonly kind: 'settled'; readonly change: bigint; readonly fee: bigint }
  | { readonly kind: 'short'; readonly missing: bigint }
  | { readonly kind: 'too-heavy'; readonly storage: bigint }
  | { readonly kind: 'odd'; readonly fee: bigint; readonly excess: bigint }

/** The least that an output can hold with nothing to make up for its storage mass: 0.02 KAS. */
const SMALLEST_BY_ITSELF = STORAGE_PARAMETER / MASS_LIMIT

/** Settles a framed transaction that spends `spent`. */
export function settle(frame: Frame, spent: StorageTotals, policy: FeePolicy): Settlement {
  const rest = spent.amount - frame.paid
  const plain = massesOf(frame, spent, 0n)
  const due = feeOf(plain, policy) + frame.priorityFee
  if (rest < due) return { kind: 'short', missing: due - rest }
  if (!fits(plain)) return { kind: 'too-heavy', storage: plain.storage }
  const excess = rest - due
  if (frame.outputs.length > 0 && excess <= feeOfInput(policy)) return { kind: 'settled', change: 0n, fee: rest }
  return settleWithChange(frame, spent, policy) ?? { kind: 'odd', fee: rest, excess }
}

function settleWithChange(frame: Frame, spent: StorageTotals, policy: FeePolicy): Settlement | undefined {
  const rest = spent.amount - frame.paid
  const change = largestChange(frame, spent, policy)
  if (change === undefined || change <= feeOfInput(policy)) return undefined
  const masses = massesOf(frame, spent, change)
  if (fits(masses)) return { kind: 'settled', change, fee: rest - change }
  return change > SMALLEST_BY_ITSELF ? { kind: 'too-heavy', storage: masses.storage } : undefined
}

/**
 * The most that can be kept as change, the fee paid. Where storage mass is paid for, change has a price of its own that
 * falls as it grows: below √(price · C) each sompi less raises the fee by more than a sompi, above it by less, so there
 * the largest is found by halving.
 */
function largestChange(frame: Frame, spent: StorageTotals, policy: FeePolicy): bigint | undefined {
  const available = spent.amount - frame.paid - frame.priorityFee
  const feeWith = (change: bigint): bigint => feeOf(massesOf(frame, spent, change), policy)
  const isAffordable = (change: bigint): boolean => change + feeWith(change) <= available
  const most = available > 0n ? available - feeWith(available) : 0n
  if (most <= 0n) return undefined
  if (isAffordable(most)) return most
  const turn = turningPoint(policy)
  return turn < most && isAffordable(turn) ? largest(isAffordable, turn, most) : undefined
}

const turningPoint = (policy: FeePolicy): bigint =>
  BigInt(Math.ceil(Math.sqrt(storagePrice(policy) * Number(STORAGE_PARAMETER))))

/** The largest number from `low`, which passes, to below `high`, which does not; all in between pass up to it. */
function largest(passes: (value: bigint) => boolean, low: bigint, high: bigint): bigint {
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (passes(middle)) low = middle
    else high = middle
  }
  return low
}

/** How much more than outputs and fee it takes for change to be possible at all, its own fee included. */
export function leastRest(frame: Frame, spent: StorageTotals, policy: FeePolicy): bigint {
  const turn = turningPoint(policy)
  const change = turn > SMALLEST_BY_ITSELF ? turn : SMALLEST_BY_ITSELF
  return change + feeOf(massesOf(frame, spent, change), policy)
}
