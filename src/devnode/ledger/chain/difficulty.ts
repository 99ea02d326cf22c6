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
