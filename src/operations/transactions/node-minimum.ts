import { ChainError } from '../../errors/chain-error.js'
import { MINIMUM_FEERATE } from '../../model/mass.js'
import type { Call } from '../queries/call.js'

/** A rate that no network at peace asks for, a thousand times the least: whoever means it gives it as `feeRate`. */
const HIGHEST_UNASKED = 100_000

/**
 * The least fee rate, in sompi per gram, at which the node would include a transaction at the moment: its low bucket,
 * never below what nodes relay. Rejects with `ChainRpcError`, and with `ChainError` (`invalid-data`) where the node names
 * a rate that would give the caller's money away.
 */
export async function nodeMinimum(call: Call): Promise<number> {
  const { estimate } = await call('getFeeEstimate', {})
  const rates = estimate.lowBuckets.map(({ feerate }) => feerate)
  const rate = Math.max(Number(MINIMUM_FEERATE), ...rates)
  if (rate <= HIGHEST_UNASKED) return rate
  throw new ChainError(`The node asks for ${rate} sompi per gram`, {
    code: 'invalid-data',
    hint: 'Give feeRate to pay so much, or connect to another node.',
  })
}
