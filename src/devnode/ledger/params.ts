import type { ChainNetwork } from '../../model/network.js'

/** Consensus and mempool parameters of kaspad 2.1.0, at ten blocks per second. */

/** The maximum number of blue blocks in the anticone of a blue block. */
export const GHOSTDAG_K = 124
/** Maximum mergeset size, selected parent included. */
export const MERGESET_LIMIT = 248
export const MAX_PARENTS = 64
/** Blocks more than this blue score below do not count for the DAA score. */
export const DAA_WINDOW = 26_440n
/** The past median time samples one block in a hundred, the newest 27 samples, and averages the middle 11. */
export const MEDIAN_SAMPLE_RATE = 100n
export const MEDIAN_WINDOW = 27
export const MEDIAN_FRAME = 11
/** The maximum lead of a submitted block's timestamp over the clock, ms. */
export const TIMESTAMP_TOLERANCE = 132_000n

/** The highest block level, that of genesis. */
export const MAX_BLOCK_LEVEL = 250

export const BLOCK_VERSION = 2
export const COINBASE_VERSION = 1
export const MAX_COINBASE_PAYLOAD = 204
export const MAX_COINBASE_SCRIPT = 150

export const BLOCKS_PER_SECOND = 10
/** Maximum number of lanes (subnetworks) in one block. */
export const LANES_PER_BLOCK = 50
/** An included transaction counts as already accepted for this DAA score. */
export const INCLUDED_RETENTION = 1200n
/** Lifetime of the transaction selection of block templates, ms. */
export const TEMPLATE_LIFETIME = 1000
/** DAA score of a UTXO created in the mempool: u64 maximum, -1 in the node's arithmetic. */
export const UNACCEPTED_DAA_SCORE = 2n ** 64n - 1n

/** Block subsidy in sompi before its first reduction. */
export const SUBSIDIES: Readonly<Record<ChainNetwork, bigint>> = {
  mainnet: 4_400_000_000n,
  'testnet-10': 4_400_000_000n,
  'testnet-12': 4_400_000_000n,
  simnet: 5_000_000_000n,
  devnet: 4_400_000_000n,
}

/**
 * Difficulty of a network with constant genesis bits. A real node adjusts them once its window holds 150 samples; the
 * simulated network has no proof of work to adjust for.
 */

/** The maximum target, 2^255 - 1, with the precision of the node. */
const MAX_TARGET = 5.78960446186581e76

/** The target of compact bits: one byte of exponent, three of mantissa. */
function targetOf(bits: number): bigint {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7fffff)
  return exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
}

/** The expected number of hashes for a block at these bits. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits)
  return (2n ** 256n - 1n - target) / (target + 1n) + 1n
}

/** Difficulty as reported by `getBlockDagInfo`: 1 at the maximum target. */
export function difficultyOf(bits: number): number {
  return MAX_TARGET / Number(targetOf(bits))
}
