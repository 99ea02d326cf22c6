import { invalidArgument } from '../../errors/chain-error.js'
import { MAX_SOMPI, SOMPI_PER_KASPA, sompiToKaspa } from '../../model/amount.js'
import { MAX_FEERATE, type FeeRateName, feeOf, type FeePolicy } from './plan/fee.js'
import type { CreateTransactionSettings } from './records.js'
import { feeTooHigh, type FeeTooHighError } from '../../errors/payment-errors.js'
import { MINIMUM_FEERATE } from '../../model/mass.js'
import { massOf } from './build.js'
import type { Draft } from './plan/draft.js'
import { NOTHING_SPENT, massesOf, type TransactionTemplate } from './plan/template.js'

/** The requested fee. `named`: a rate of the node. `minimum`: the node's current minimum plus `priorityFee`. */
export type FeeChoice =
  | { readonly kind: 'rate'; readonly rate: number }
  | { readonly kind: 'named'; readonly name: FeeRateName }
  | { readonly kind: 'minimum'; readonly priorityFee: bigint }

const FEE_RATE_NAMES: readonly unknown[] = ['low', 'normal', 'priority'] satisfies readonly FeeRateName[]

const isFeeRateName = (value: unknown): value is FeeRateName => FEE_RATE_NAMES.includes(value)

/** Throws `ChainError` (`invalid-argument`). */
export function checkFee({
  feeRate,
  priorityFee,
}: Pick<CreateTransactionSettings, 'feeRate' | 'priorityFee'>): FeeChoice {
  if (feeRate !== undefined && priorityFee !== undefined) {
    throw invalidArgument(
      'feeRate',
      'Both feeRate and priorityFee are given',
      'Give one: a rate per gram, or a fixed fee beyond the minimum.',
    )
  }
  if (feeRate !== undefined) return toRateChoice(feeRate)
  if (priorityFee === undefined) return { kind: 'minimum', priorityFee: 0n }
  if (typeof priorityFee === 'bigint' && priorityFee >= 0n && priorityFee <= MAX_SOMPI)
    return { kind: 'minimum', priorityFee }
  throw invalidArgument('priorityFee', '"priorityFee" must be an amount in sompi, as a bigint, zero or more')
}

function toRateChoice(feeRate: number | FeeRateName): FeeChoice {
  if (isFeeRateName(feeRate)) return { kind: 'named', name: feeRate }
  if (typeof feeRate === 'number' && feeRate >= 0 && feeRate <= MAX_FEERATE) return { kind: 'rate', rate: feeRate }
  throw invalidArgument(
    'feeRate',
    '"feeRate" must be a number of sompi per gram, zero or more, or low, normal or priority',
    'getFeeEstimate() returns the current rates.',
  )
}

/** Throws `ChainError` (`invalid-argument`). */
export function checkMaxFee(maxFee: bigint | undefined): bigint | undefined {
  if (maxFee === undefined || (typeof maxFee === 'bigint' && maxFee >= 0n && maxFee <= MAX_SOMPI)) return maxFee
  throw invalidArgument('maxFee', '"maxFee" must be an amount in sompi, as a bigint, zero or more')
}

/** The bound of a payment's fees. */
interface FeeBound {
  /** Sompi; undefined for the default. */
  readonly maxFee: bigint | undefined
  /** Sompi per gram; undefined where the settings define the rate. */
  readonly nodeFeeRate: number | undefined
}

/** How many times the known minimum rate a payment pays by default at most. */
const DEFAULT_FACTOR = 10n

/** Throws `ChainError` (`fee-too-high`) where the fees of a plan exceed the bound. */
export function requireFeeWithin(bound: FeeBound, drafts: readonly Draft[]): void {
  const fee = drafts.reduce((sum, draft) => sum + draft.fee, 0n)
  const mass = drafts.reduce((sum, draft) => sum + massOf(draft), 0n)
  requireWithin(bound, fee, mass)
}

/**
 * The same for a payment that the UTXOs do not cover: even with one input its fee would exceed the bound, so that more
 * UTXOs are no remedy.
 */
export function requireLeastFeeWithin(bound: FeeBound, template: TransactionTemplate, policy: FeePolicy): void {
  const { relay } = massesOf(template, { ...NOTHING_SPENT, inputs: 1n }, 0n)
  requireWithin(bound, feeOf({ relay, storage: 0n }, policy) + template.priorityFee, relay)
}

/** Throws `ChainError` (`fee-too-high`) where a fee exceeds the bound of a plan of this mass, in grams. */
export function requireWithin({ maxFee, nodeFeeRate }: FeeBound, fee: bigint, mass: bigint): void {
  const most = maxFee ?? defaultBound(mass)
  if (fee > most) throw tooHigh(fee, most, nodeFeeRate)
}

/** The greater of 1 KAS and ten times the known minimum, in sompi. */
function defaultBound(mass: bigint): bigint {
  const byMass = DEFAULT_FACTOR * MINIMUM_FEERATE * mass
  return byMass > SOMPI_PER_KASPA ? byMass : SOMPI_PER_KASPA
}

function tooHigh(fee: bigint, maxFee: bigint, nodeFeeRate: number | undefined): FeeTooHighError {
  const knownMinimum = Number(MINIMUM_FEERATE)
  const isNodeExpensive = nodeFeeRate !== undefined && nodeFeeRate > knownMinimum
  return feeTooHigh(
    `The fees are ${sompiToKaspa(fee)} KAS, above the bound of ${sompiToKaspa(maxFee)} KAS`,
    { fee, maxFee, nodeFeeRate, knownMinimum },
    isNodeExpensive
      ? `The node requires ${nodeFeeRate} sompi per gram, the minimum of the network is ${knownMinimum}. To pay that, set maxFee to ${fee}n or more; or connect to another node.`
      : `To pay that, set maxFee to ${fee}n or more; or lower feeRate or priorityFee.`,
  )
}
