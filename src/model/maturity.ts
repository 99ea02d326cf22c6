import type { UtxoEntry } from './utxo.js'

/**
 * Whether `entry` is spendable at `virtualDaaScore`: a coinbase from `blockDaaScore + coinbaseMaturity` on (inclusive),
 * other entries always.
 */
export function isMature(
  entry: Pick<UtxoEntry, 'isCoinbase' | 'blockDaaScore'>,
  virtualDaaScore: bigint,
  coinbaseMaturity: bigint,
): boolean {
  return !entry.isCoinbase || entry.blockDaaScore + coinbaseMaturity <= virtualDaaScore
}
