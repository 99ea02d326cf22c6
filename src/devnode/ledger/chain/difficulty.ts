/**
 * Difficulty on a network that never leaves its genesis bits. A real node adjusts them once its window holds 150 samples;
 * a simulated one searches no proof of work, so there is nothing to adjust to.
 */

/** The largest target of the network, 2^255 - 1, as the node writes it. */
const MAX_TARGET = 5.78960446186581e76

/** The target that compact bits stand for: a byte of exponent, three of mantissa. */
function targetOf(bits: number): bigint {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7fffff)
  return exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
}

/** How many hashes a block at these bits takes on average. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits)
  return (2n ** 256n - 1n - target) / (target + 1n) + 1n
}

/** Difficulty as `getBlockDagInfo` tells it: 1 at the largest target. */
export function difficultyOf(bits: number): number {
  return MAX_TARGET / Number(targetOf(bits))
}
