import { invalidArgument } from '../../errors/chain-error.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { MAX_FEERATE, type FeeRateName } from './fee-rates.js'
import type { CreateTransactionSettings } from './records.js'

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
