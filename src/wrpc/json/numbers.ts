import { markLongIntegers } from '../../model/long-integers.js'
import { MalformedFrame } from '../malformed.js'

/** Lossless JSON: integers too long for a JavaScript number pass through `JSON.parse` as marked strings. */

/** An integer in value position that may be too long for a JavaScript number. */
const LONG = /[:,[]\s*-?\d{16}/g

const MARK = '#'

/** Parses `text`; long integers from `start` on become marked strings. Throws `MalformedFrame` if it is no JSON. */
export function parseJson(text: string, start = 0): unknown {
  LONG.lastIndex = start
  return parseRoundedJson(LONG.test(text) ? markLongIntegers(text, MARK) : text)
}

/** Parses `text`; long integers are rounded. Throws `MalformedFrame` if it is no JSON. */
export function parseRoundedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new MalformedFrame('Not JSON', { cause: error })
    if (error instanceof RangeError) throw new MalformedFrame('Too long to be parsed', { cause: error })
    throw error
  }
}

/** An integer in [min, max], from a number or a marked string. */
export function toBigInt(value: unknown, min: bigint, max: bigint): bigint {
  const whole = wholeNumber(value)
  if (whole < min || whole > max) throw new MalformedFrame(`${whole} is out of range`)
  return whole
}

/** Any number, from a number or a marked string. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (isMarked(value)) return Number(value.slice(MARK.length))
  throw new MalformedFrame(`Expected a number, not ${typeof value}`)
}

/**
 * A floating-point number in the node's format: always with a point or an exponent, the latter below 1e-5 and from 1e16
 * on, and `null` if not finite.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace('e+', 'e')
  const text = Object.is(value, -0) ? '-0' : String(value)
  return text.includes('.') ? text : `${text}.0`
}

function wholeNumber(value: unknown): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (isMarked(value)) return toWhole(value.slice(MARK.length))
  throw new MalformedFrame('Expected an integer')
}

/** Converts digits only up to 64 bits: the cost of `BigInt` grows faster than their number. */
function toWhole(digits: string): bigint {
  if (digits.length > MAX_DIGITS) throw new MalformedFrame(`An integer of ${digits.length} digits is out of range`)
  return BigInt(digits)
}

/** The digits of the largest u64, and those of the smallest i64 with its sign. */
const MAX_DIGITS = 20

const isMarked = (value: unknown): value is string => typeof value === 'string' && /^#-?\d+$/.test(value)
