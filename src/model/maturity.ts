import type { UtxoEntry } from './utxo.js'

/**
 * Whether the node lets `entry` be spent at `virtualDaaScore`: everything at once, but coinbase only when
 * `coinbaseMaturity` of DAA score has passed since it was accepted. Exactly then, not one later.
 */
export function isMature(
  entry: Pick<UtxoEntry, 'isCoinbase' | 'blockDaaScore'>,
  virtualDaaScore: bigint,
  coinbaseMaturity: bigint,
): boolean {
  return !entry.isCoinbase || entry.blockDaaScore + coinbaseMaturity <= virtualDaaScore
}
