import { MalformedFrame } from '../malformed.js'

/** JSON without the loss of a digit: what a JavaScript number cannot hold travels through `JSON.parse` as marked text. */

/** A whole number that may be too long for a JavaScript number, where a value can stand. */
const LONG = /[:,[]\s*-?\d{16}/g

/** Each text and each number of the JSON whole, so that digits inside a text, or behind a point, are left alone. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

const LONG_NUMBER = /^-?\d{16,}$/

const MARK = '#'

/** `text` as values, where long whole numbers from `start` on are marked texts. Throws `MalformedFrame` where it is no JSON. */
export function parseJson(text: string, start = 0): unknown {
  LONG.lastIndex = start
  try {
    return JSON.parse(LONG.test(text) ? text.replace(TEXT_OR_NUMBER, mark) : text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new MalformedFrame('This is no JSON', { cause: error })
    throw error
  }
}

/** A whole number in [least, greatest], from a number or a marked text. */
export function toBigInt(value: unknown, least: bigint, greatest: bigint): bigint {
  const whole = wholeNumber(value)
  if (whole < least || whole > greatest) throw new MalformedFrame(`${whole} does not fit`)
  return whole
}

/** A number of any kind, from a number or a marked text. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (isMarked(value)) return Number(value.slice(MARK.length))
  throw new MalformedFrame(`A number wanted, not ${typeof value}`)
}

/**
 * A floating-point number as the node writes it: always with a point or an exponent, the latter below 1e-5 and from 1e16 on,
 * and `null` for what is not finite.
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
  if (isMarked(value)) return BigInt(value.slice(MARK.length))
  throw new MalformedFrame('A whole number wanted')
}

const mark = (found: string): string => (LONG_NUMBER.test(found) ? `"${MARK}${found}"` : found)

const isMarked = (value: unknown): value is string => typeof value === 'string' && /^#-?\d+$/.test(value)
