import { ChainError } from '../../errors/chain-error.js'
import { MINIMUM_FEERATE } from '../../model/mass.js'
import type { Call } from '../queries/call.js'

/** Fee rates by name: `low` is confirmed within an hour, `normal` within a minute, `priority` in the next blocks. */
export type FeeRateName = 'low' | 'normal' | 'priority'

/** Sompi per gram. `minimum` is the node's lowest rate; no other is below it. */
export type NodeFeeRates = Readonly<Record<FeeRateName | 'minimum', number>>

/** Above this rate the fee of the smallest transaction exceeds the maximum supply. */
export const MAX_FEERATE = 1e15

/**
 * The node's fee rates, never below the relay minimum. Not bounded otherwise: `maxFee` bounds the fees of the plan.
 * Rejects with `ChainRpcError`, and with `ChainError` (`malformed`) for a rate that is no rate.
 */
export async function fetchFeeRates(call: Call): Promise<NodeFeeRates> {
  const { estimate } = await call('getFeeEstimate', {})
  const { lowBuckets, normalBuckets, priorityBucket } = estimate
  const minimum = highest(Number(MINIMUM_FEERATE), ...lowBuckets.map(({ feerate }) => feerate))
  const normal = highest(minimum, ...normalBuckets.slice(0, 1).map(({ feerate }) => feerate))
  return { minimum, low: minimum, normal, priority: highest(normal, priorityBucket.feerate) }
}

/** Throws where a rate is not a number, or too large to compute with. */
function highest(...rates: readonly number[]): number {
  const rate = Math.max(...rates)
  if (rate <= MAX_FEERATE) return rate
  throw new ChainError(`No fee can be computed: the node requires ${rate} sompi per gram`, {
    code: 'malformed',
    hint: 'Connect to another node.',
  })
}
