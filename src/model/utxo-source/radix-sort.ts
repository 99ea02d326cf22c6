/** Bits of a digit: a row is moved three times per word. */
const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS
const MASK = DIGITS - 1

/** A word of each element to sort. */
export interface SortKey {
  readonly words: Uint32Array
  readonly order: 'ascending' | 'descending'
}

/**
 * The positions of elements, sorted by their keys, the last key first. Stable. Costs time in the number of elements, in
 * any distribution of the keys.
 */
export function radixSort(count: number, keys: readonly SortKey[]): Uint32Array {
  let positions = new Uint32Array(count)
  for (let at = 0; at < count; at++) positions[at] = at
  let spare = new Uint32Array(count)
  for (const { words, order } of keys) {
    const flip = order === 'ascending' ? 0 : MASK
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = bucketStarts(words, shift, flip)
      if (starts === undefined) continue
      distribute(positions, spare, words, shift, flip, starts)
      ;[positions, spare] = [spare, positions]
    }
  }
  return positions
}

/** The first position of each digit among the sorted ones; undefined where all digits are equal. */
function bucketStarts(words: Uint32Array, shift: number, flip: number): Uint32Array | undefined {
  const starts = new Uint32Array(DIGITS)
  for (const word of words) {
    const digit = ((word >>> shift) & MASK) ^ flip
    starts[digit] = (starts[digit] ?? 0) + 1
  }
  if (starts.includes(words.length)) return undefined
  let start = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = starts[digit] ?? 0
    starts[digit] = start
    start += count
  }
  return starts
}

function distribute(
  from: Uint32Array,
  to: Uint32Array,
  words: Uint32Array,
  shift: number,
  flip: number,
  starts: Uint32Array,
): void {
  for (const position of from) {
    const digit = (((words[position] ?? 0) >>> shift) & MASK) ^ flip
    const target = starts[digit] ?? 0
    to[target] = position
    starts[digit] = target + 1
  }
}
