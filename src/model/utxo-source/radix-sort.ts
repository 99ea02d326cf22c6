import { eachChunk } from '../utxo-columns/chunks.js'

/** Bits of a digit: a row is moved three times per word. */
const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS
const MASK = DIGITS - 1

/** A word of each element to sort. */
export interface SortKey {
  readonly words: Uint32Array
  readonly order: 'ascending' | 'descending'
}

/** The digit of each word that a pass sorts by. */
interface Digit {
  readonly words: Uint32Array
  readonly shift: number
  /** Reverses the order of the digits, where it is the mask. */
  readonly flip: number
}

/**
 * The positions of elements, sorted by their keys, the last key first. Stable. Costs time in the number of elements, in
 * any distribution of the keys; done in steps.
 */
export function* radixSort(count: number, keys: readonly SortKey[]): Generator<undefined, Uint32Array> {
  let positions = new Uint32Array(count)
  yield* eachChunk(count, (first, end) => {
    for (let at = first; at < end; at++) positions[at] = at
  })
  let spare = new Uint32Array(count)
  for (const { words, order } of keys) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const digit = { words, shift, flip: order === 'ascending' ? 0 : MASK }
      const starts = yield* bucketStarts(digit)
      if (starts === undefined) continue
      const [from, to] = [positions, spare]
      yield* eachChunk(count, (first, end) => distribute(from.subarray(first, end), to, digit, starts))
      ;[positions, spare] = [to, from]
    }
  }
  return positions
}

/** The first position of each digit among the sorted ones; undefined where all digits are equal. */
function* bucketStarts(digit: Digit): Generator<undefined, Uint32Array | undefined> {
  const starts = new Uint32Array(DIGITS)
  const { length } = digit.words
  yield* eachChunk(length, (first, end) => countDigits(digit, first, end, starts))
  if (starts.includes(length)) return undefined
  let start = 0
  for (let at = 0; at < DIGITS; at++) {
    const count = starts[at] ?? 0
    starts[at] = start
    start += count
  }
  return starts
}

function countDigits({ words, shift, flip }: Digit, first: number, end: number, counts: Uint32Array): void {
  for (let at = first; at < end; at++) {
    const digit = (((words[at] ?? 0) >>> shift) & MASK) ^ flip
    counts[digit] = (counts[digit] ?? 0) + 1
  }
}

function distribute(positions: Uint32Array, to: Uint32Array, { words, shift, flip }: Digit, starts: Uint32Array): void {
  for (const position of positions) {
    const digit = (((words[position] ?? 0) >>> shift) & MASK) ^ flip
    const target = starts[digit] ?? 0
    to[target] = position
    starts[digit] = target + 1
  }
}
