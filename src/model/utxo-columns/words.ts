/**
 * Numbers of 64 bits as two words, the low one first: a bigint for each would cost more than all other work on a row.
 */

const WORD = 2 ** 32

/** A number as two words and, in the same memory, as a bigint: engines read one faster than they convert to it. */
const PAIR = /*#__PURE__*/ new Uint32Array(2)
const AS_BIGINT = /*#__PURE__*/ toBigInts(PAIR)
/** Which word of the pair is the low one: the first, but on machines of the other byte order. */
const LOW = /*#__PURE__*/ indexOfLowWord()

/** The number of row `row`. */
export function readBigInt(words: Uint32Array, row: number): bigint {
  PAIR[LOW] = words[2 * row] ?? 0
  PAIR[1 - LOW] = words[2 * row + 1] ?? 0
  return AS_BIGINT[0] ?? 0n
}

function toBigInts({ buffer }: Uint32Array<ArrayBuffer>): BigUint64Array {
  return new BigUint64Array(buffer)
}

function indexOfLowWord(): 0 | 1 {
  return toBigInts(Uint32Array.of(1, 0))[0] === 1n ? 0 : 1
}

/** Sets the number of row `row`, a whole number that JavaScript represents exactly. */
export function writeNumber(words: Uint32Array, row: number, value: number): void {
  const low = value >>> 0 // modulo 2^32
  words[2 * row] = low
  words[2 * row + 1] = (value - low) / WORD
}

/** Sets the number of row `row`, which has at most 64 bits. */
export function writeBigInt(words: Uint32Array, row: number, value: bigint): void {
  const rounded = Number(value)
  if (rounded <= Number.MAX_SAFE_INTEGER) {
    writeNumber(words, row, rounded)
  } else {
    words[2 * row] = Number(value & 0xffff_ffffn)
    words[2 * row + 1] = Number(value >> 32n)
  }
}

/** A number of 64 bits to compare rows with. */
export interface Bound {
  readonly low: number
  readonly high: number
}

/** The bound of a number; every row is above a negative one. */
export const toBound = (value: bigint): Bound => ({ low: Number(value & 0xffff_ffffn), high: Number(value >> 32n) })

/** Whether the number of row `row` is above `bound`. */
export function isAbove(words: Uint32Array, row: number, bound: Bound): boolean {
  const high = words[2 * row + 1] ?? 0
  return high > bound.high || (high === bound.high && (words[2 * row] ?? 0) > bound.low)
}

/** Twice as many rows have a sum of low words that a JavaScript number holds exactly. */
const EXACT_ROWS = 2 ** 20

/** Adds each second word. */
function sumWords(words: Uint32Array, first: number, end: number): number {
  let sum = 0
  for (let at = first; at < end; at += 2) sum += words[at] ?? 0
  return sum
}

/** Adds numbers of rows. */
export class WordSum {
  #total = 0n
  #low = 0
  #high = 0
  #rows = 0

  add(words: Uint32Array, row: number): void {
    this.#low += words[2 * row] ?? 0
    this.#high += words[2 * row + 1] ?? 0
    if (++this.#rows >= EXACT_ROWS) this.#flush()
  }

  /** Adds the numbers of rows from `first` to before `end`. */
  addRows(words: Uint32Array, first: number, end: number): void {
    for (let from = first; from < end; from += EXACT_ROWS) {
      const to = Math.min(end, from + EXACT_ROWS)
      this.#low += sumWords(words, 2 * from, 2 * to)
      this.#high += sumWords(words, 2 * from + 1, 2 * to)
      this.#rows += to - from
      if (this.#rows >= EXACT_ROWS) this.#flush()
    }
  }

  get total(): bigint {
    this.#flush()
    return this.#total
  }

  #flush(): void {
    this.#total += (BigInt(this.#high) << 32n) + BigInt(this.#low)
    this.#low = this.#high = this.#rows = 0
  }
}
