import { invalidArgument } from '../../errors/chain-error.js'
import { MAX_SOMPI } from '../../model/amount.js'
import type { CreateTransactionSettings } from './records.js'

/** The fee that was asked for; the node's minimum is known only to the node. */
export type FeeChoice =
  { readonly kind: 'rate'; readonly rate: number } | { readonly kind: 'minimum'; readonly priorityFee: bigint }

/** Beyond this a rate asks for more than there is, for the smallest transaction. */
const MAX_FEERATE = 1e15

/** Throws `ChainError` (`invalid-argument`). */
export function checkFee({ feeRate, priorityFee }: CreateTransactionSettings): FeeChoice {
  if (feeRate !== undefined && priorityFee !== undefined) {
    throw invalidArgument(
      'feeRate',
      'Both feeRate and priorityFee are given',
      'Give one: a rate for every gram, or a fixed fee beyond the minimum.',
    )
  }
  if (feeRate !== undefined) return { kind: 'rate', rate: checkFeeRate(feeRate) }
  if (priorityFee === undefined) return { kind: 'minimum', priorityFee: 0n }
  if (typeof priorityFee === 'bigint' && priorityFee >= 0n && priorityFee <= MAX_SOMPI)
    return { kind: 'minimum', priorityFee }
  throw invalidArgument('priorityFee', '"priorityFee" must be an amount in sompi, as a bigint, zero or more')
}

function checkFeeRate(feeRate: number): number {
  if (typeof feeRate === 'number' && feeRate >= 0 && feeRate <= MAX_FEERATE) return feeRate
  throw invalidArgument(
    'feeRate',
    '"feeRate" must be a number of sompi per gram, zero or more',
    'getFeeEstimate() names the rates of the moment.',
  )
}
