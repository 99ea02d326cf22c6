import { STORAGE_PARAMETER } from '../../../model/mass.js'
import { feeOf, feeOfInput, storagePrice, type FeePolicy } from './fee.js'
import {
  MASS_LIMIT,
  fits,
  massesOf,
  type SpentTotals,
  type TransactionTemplate,
  createTemplate,
  inputCapacity,
} from './template.js'
import { utxoOfDraft, createDraft, totalOf, type Utxo, type UtxoList, type Draft } from './draft.js'

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

/** UTXOs that fit one transaction, and the compound transactions that come before it. */
export interface Compounded {
  readonly earlier: readonly Draft[]
  readonly utxos: readonly Utxo[]
}

/**
 * Compounds UTXOs until no more are left than the transaction of a template can spend, each time as many as one of
 * preferred mass spends, in order. A compound output goes to the end of the list, so that it is spent again only after
 * all others. Undefined where the fees exceed what a compound transaction spends.
 */
export function compound(utxos: UtxoList, template: TransactionTemplate, policy: FeePolicy): Compounded | undefined {
  const capacity = inputCapacity(template)
  const earlier: Draft[] = []
  const queue = [...utxos]
  let first = 0
  while (queue.length - first > capacity) {
    const draft = compoundOnce(queue, first, template, policy)
    if (draft === undefined) return undefined
    earlier.push(draft)
    queue.push(utxoOfDraft(draft))
    first += draft.utxos.length
  }
  return { earlier, utxos: queue.slice(first) }
}

/**
 * One transaction that merges UTXOs from `at` on into one output, at the address of the first: the key that signs this
 * transaction also signs the next, even if the payment's change goes to another address.
 */
function compoundOnce(
  utxos: readonly Utxo[],
  at: number,
  { maxInputs }: TransactionTemplate,
  policy: FeePolicy,
): Draft | undefined {
  const first = utxos[at]
  if (first === undefined) return undefined
  const template = createTemplate([], first.scriptPublicKey, { maxInputs, input: policy.input })
  const merged = utxos.slice(at, at + inputCapacity(template))
  const outcome = computeChange(template, totalOf(merged), policy)
  return outcome.kind === 'covered' ? createDraft(template, merged, outcome) : undefined
}
