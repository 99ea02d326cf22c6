/** Returns numbers in [0, 1): the same sequence for the same seed, on any machine. */
export type Random = () => number

/** A 32-bit generator: an additive counter, mixed by two multiply-and-shift steps. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
