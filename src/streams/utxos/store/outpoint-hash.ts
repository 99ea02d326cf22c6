import { ID_WORDS, type UtxoColumns } from '../../../model/utxo-columns/columns.js'
import type { Outpoint } from '../../../model/utxo.js'

/** A 32-bit hash of an outpoint. */
export interface OutpointHash {
  (outpoint: Outpoint): number
  /** The hash of a row's outpoint: the same number. */
  readonly ofRow: (columns: UtxoColumns, row: number) => number
  /** Writes the hashes of rows from `first` on. */
  readonly ofRows: (columns: UtxoColumns, first: number, hashes: Int32Array) => void
}

/** Digits of a transaction id; rows of the table above them are for the index, in groups of `GROUP` bits. */
const ID_DIGITS = 64
const GROUP = 5
const INDEX_GROUPS = Math.ceil(32 / GROUP)

/**
 * Tabulation hashing: each digit of the id, by its position, and each five bits of the index select a random word, and
 * the hash is their exclusive or. A node that does not know `seed` cannot choose outpoints that collide, even of equal
 * ids.
 */
export function createOutpointHash(seed: number): OutpointHash {
  const table = randomWords(seed, (ID_DIGITS + INDEX_GROUPS) << GROUP)
  // the latest, because a caller often uses several maps in turn
  const latest: { outpoint: Outpoint | null; hash: number } = { outpoint: null, hash: 0 }
  let byteTable: Int32Array | undefined
  const one = new Int32Array(1)

  const ofOutpoint = (outpoint: Outpoint): number => {
    if (outpoint !== latest.outpoint) latest.hash = hashOf(outpoint)
    latest.outpoint = outpoint
    return latest.hash
  }
  function hashOf({ transactionId, index }: Outpoint): number {
    let hash = hashOfIndex(index)
    for (let at = 0; at < transactionId.length; at++) {
      const row = at & (ID_DIGITS - 1)
      hash ^= table[(row << GROUP) | (transactionId.charCodeAt(at) & 31)] ?? 0 // 31: distinguishes all hex digits
    }
    return hash
  }
  function hashOfIndex(index: number): number {
    let hash = 0
    for (let row = ID_DIGITS, left = index; left > 0; row++, left >>>= GROUP) {
      hash ^= table[(row << GROUP) | (left & 31)] ?? 0
    }
    return hash
  }
  function ofRow(columns: UtxoColumns, row: number): number {
    ofRows(columns, row, one)
    return one[0] ?? 0
  }
  function ofRows({ transactionIds, indexes }: UtxoColumns, first: number, hashes: Int32Array): void {
    const bytes = (byteTable ??= toByteTable(table))
    for (let position = 0, row = first; position < hashes.length; position++, row++) {
      let hash = hashOfIndex(indexes[row] ?? 0)
      for (let word = 0; word < ID_WORDS; word++) {
        const bits = transactionIds[row * ID_WORDS + word] ?? 0
        const at = word << 10
        hash ^= (bytes[at | (bits & 255)] ?? 0) ^ (bytes[at | 256 | ((bits >>> 8) & 255)] ?? 0)
        hash ^= (bytes[at | 512 | ((bits >>> 16) & 255)] ?? 0) ^ (bytes[at | 768 | (bits >>> 24)] ?? 0)
      }
      hashes[position] = hash
    }
  }
  return Object.assign(ofOutpoint, { ofRow, ofRows })
}

/** The combined words of the two digits of each byte, by its position. */
function toByteTable(table: Int32Array): Int32Array {
  const codes = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0) & 31)
  const wordOf = (digit: number, value: number): number => table[(digit << GROUP) | (codes[value] ?? 0)] ?? 0
  return Int32Array.from({ length: (ID_DIGITS / 2) << 8 }, (_, at) => {
    const digit = 2 * (at >> 8)
    return wordOf(digit, (at >> 4) & 15) ^ wordOf(digit + 1, at & 15)
  })
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
