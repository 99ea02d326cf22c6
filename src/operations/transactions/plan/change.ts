import { STORAGE_PARAMETER } from '../../../model/mass.js'
import { feeOf, feeOfInput, storagePrice, type FeePolicy } from './fee.js'
import { MASS_LIMIT, fits, massesOf, type SpentTotals, type TransactionTemplate } from './template.js'

/**
 * Change and fee for given inputs and outputs:
 * - `covered`: the change (0n: none) and the fee.
 * - `insufficient`: the inputs do not cover outputs and fee; `missing` sompi.
 * - `mass-exceeded`: the outputs are so small that the storage mass exceeds the limit of nodes.
 * - `unusable-change`: `excess` beyond the required fee is too small for an output and, under a strict rate, too much
 *   for the fee.
 */
export type ChangeOutcome =
  | { readonly kind: 'covered'; readonly change: bigint; readonly fee: bigint }
  | { readonly kind: 'insufficient'; readonly missing: bigint }
  | { readonly kind: 'mass-exceeded'; readonly storage: bigint }
  | { readonly kind: 'unusable-change'; readonly fee: bigint; readonly excess: bigint }

/** The smallest output whose storage mass is within the limit without any inputs to offset it: 0.02 KAS. */
const SMALLEST_WITHOUT_OFFSET = STORAGE_PARAMETER / MASS_LIMIT

/** Computes change and fee of the transaction that spends `spent`. */
export function computeChange(template: TransactionTemplate, spent: SpentTotals, policy: FeePolicy): ChangeOutcome {
  const remaining = spent.amount - template.paid
  const plain = massesOf(template, spent, 0n)
  const due = feeOf(plain, policy) + template.priorityFee
  if (remaining < due) return { kind: 'insufficient', missing: due - remaining }
  if (!fits(plain)) return { kind: 'mass-exceeded', storage: plain.storage }
  const excess = remaining - due
  if (template.outputs.length > 0 && excess <= feeOfInput(policy))
    return { kind: 'covered', change: 0n, fee: remaining }
  return withChangeOutput(template, spent, policy) ?? { kind: 'unusable-change', fee: remaining, excess }
}

function withChangeOutput(
  template: TransactionTemplate,
  spent: SpentTotals,
  policy: FeePolicy,
): ChangeOutcome | undefined {
  const remaining = spent.amount - template.paid
  const change = largestChange(template, spent, policy)
  if (change === undefined || change <= feeOfInput(policy)) return undefined
  const masses = massesOf(template, spent, change)
  if (fits(masses)) return { kind: 'covered', change, fee: remaining - change }
  return change > SMALLEST_WITHOUT_OFFSET ? { kind: 'mass-exceeded', storage: masses.storage } : undefined
}

/**
 * The largest change that leaves enough for the fee. Where storage mass is charged, the fee falls as the change grows:
 * below √(price · C) each sompi less raises the fee by more than a sompi, above it by less, so the largest change above
 * that point is found by bisection.
 */
function largestChange(template: TransactionTemplate, spent: SpentTotals, policy: FeePolicy): bigint | undefined {
  const available = spent.amount - template.paid - template.priorityFee
  const feeWith = (change: bigint): bigint => feeOf(massesOf(template, spent, change), policy)
  const isAffordable = (change: bigint): boolean => change + feeWith(change) <= available
  const most = available > 0n ? available - feeWith(available) : 0n
  if (most <= 0n) return undefined
  if (isAffordable(most)) return most
  const turn = turningPoint(policy)
  return turn < most && isAffordable(turn) ? largest(isAffordable, turn, most) : undefined
}

const turningPoint = (policy: FeePolicy): bigint =>
  BigInt(Math.ceil(Math.sqrt(storagePrice(policy) * Number(STORAGE_PARAMETER))))

/** The largest passing number between `low`, which passes, and `high`, which does not. */
function largest(passes: (value: bigint) => boolean, low: bigint, high: bigint): bigint {
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (passes(middle)) low = middle
    else high = middle
  }
  return low
}

/** How much beyond the outputs is needed for a change output to be possible, its fee included. */
export function minimumChangeCost(template: TransactionTemplate, spent: SpentTotals, policy: FeePolicy): bigint {
  const turn = turningPoint(policy)
  const change = turn > SMALLEST_WITHOUT_OFFSET ? turn : SMALLEST_WITHOUT_OFFSET
  return change + feeOf(massesOf(template, spent, change), policy)
}
