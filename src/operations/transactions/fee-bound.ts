import { feeTooHigh, type FeeTooHighError } from '../../errors/payment-errors.js'
import { SOMPI_PER_KASPA, sompiToKaspa } from '../../model/amount.js'
import { MINIMUM_FEERATE } from '../../model/mass.js'
import { massOf } from './build.js'
import type { Draft } from './plan/draft.js'
import { feeOf, type FeePolicy } from './plan/fee.js'
import { NOTHING_SPENT, massesOf, type TransactionTemplate } from './plan/template.js'

/** The bound of a payment's fees. */
export interface FeeBound {
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
