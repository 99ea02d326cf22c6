import type { Outpoint } from '../../model/utxo.js'

/** A 32-bit hash of an outpoint. */
export type OutpointHash = (outpoint: Outpoint) => number

/** Digits of a transaction id; rows of the table above them are for the index, in groups of `GROUP` bits. */
const ID_DIGITS = 64
const GROUP = 5
const INDEX_GROUPS = Math.ceil(32 / GROUP)

/**
 * Tabulation hashing: each digit of the id, by its position, and each five bits of the index select a random word, and the
 * hash is their exclusive or. The hash of the latest outpoint is kept, because a caller often uses several maps in turn. A node that does not know `seed` cannot choose outpoints that collide, even of equal ids.
 */
export function createOutpointHash(seed: number): OutpointHash {
  const table = randomWords(seed, (ID_DIGITS + INDEX_GROUPS) << GROUP)
  const latest: { outpoint: Outpoint | null; hash: number } = { outpoint: null, hash: 0 }
  return (outpoint) => {
    if (outpoint !== latest.outpoint) latest.hash = hashOf(outpoint)
    latest.outpoint = outpoint
    return latest.hash
  }
  function hashOf({ transactionId, index }: Outpoint): number {
    let hash = 0
    for (let at = 0; at < transactionId.length; at++) {
      const row = at & (ID_DIGITS - 1)
      hash ^= table[(row << GROUP) | (transactionId.charCodeAt(at) & 31)] ?? 0 // 31: distinguishes all hex digits
    }
    for (let row = ID_DIGITS, left = index; left > 0; row++, left >>>= GROUP) {
      hash ^= table[(row << GROUP) | (left & 31)] ?? 0
    }
    return hash
  }
}

/** Pseudorandom words from a seed (splitmix32). */
function randomWords(seed: number, count: number): Int32Array {
  let state = seed | 0
  return Int32Array.from({ length: count }, () => {
    state = (state + 0x9e37_79b9) | 0
    let word = Math.imul(state ^ (state >>> 16), 0x21f0_aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a_2d97)
    return word ^ (word >>> 15)
  })
}
