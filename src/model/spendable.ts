import type { UtxoEntry } from './utxo.js'
import { isKeyAddress } from './address.js'

/**
 * The virtual DAA score from which `entry` is spendable: that of its block, or for a coinbase `coinbaseMaturity` later.
 * An entry can arrive before the notification of its block's score.
 */
export const maturityScore = (
  { isCoinbase, blockDaaScore }: Pick<UtxoEntry, 'isCoinbase' | 'blockDaaScore'>,
  coinbaseMaturity: bigint,
): bigint => (isCoinbase ? blockDaaScore + coinbaseMaturity : blockDaaScore)

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

/**
 * Whether an output counts for its address. An output that a covenant binds does where a key alone may spend it,
 * although that ends the right that it may carry; elsewhere the script of the covenant decides who may.
 */
export const isCountedOutput = ({
  address,
  covenantId,
}: Pick<UtxoEntry, 'covenantId'> & { readonly address: string }): boolean =>
  covenantId === undefined || isKeyAddress(address)
