import { MalformedFrame } from '../wire-errors.js'
import type { Frame } from '../codec.js'
import { markLongIntegers } from '../../model/long-integers.js'

/** The envelope of every JSON message. */
export interface Envelope {
  /** Undefined for a notification, or a request without an id. */
  readonly id: bigint | undefined
  readonly content: JsonObject
}

/** A leading id is parsed apart, so that its many digits do not trigger the slow parse of the whole message. */
const LEADING_ID = /^\s*\{\s*"id"\s*:\s*(\d{1,20})(?=\s*[,}])/

const MAX_ID = 2n ** 64n - 1n

/** A message of a client, or a response of a node. */
export function writeEnvelope(id: bigint, method: string | undefined, content: string): string {
  const named = method === undefined ? '' : `"method":${JSON.stringify(method)},`
  return `{"id":${id},${named}${content}}`
}

/** Parses the envelope of a text or binary message. Throws `MalformedFrame` if it is no JSON record. */
export function openEnvelope(frame: Frame): Envelope {
  const text = typeof frame === 'string' ? frame : toText(frame)
  const [leading, digits] = LEADING_ID.exec(text) ?? ['', undefined]
  const content = asObject(parseJson(text, leading.length))
  const given = digits ?? content.id
  if (given === undefined || given === null) return { id: undefined, content }
  return { id: typeof digits === 'string' ? withinBounds(BigInt(digits)) : toBigInt(given, 0n, MAX_ID), content }
}

function withinBounds(id: bigint): bigint {
  if (id > MAX_ID) throw new MalformedFrame('The id exceeds 64 bits')
  return id
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new MalformedFrame('Not UTF-8', { cause: error })
    throw error
  }
}

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

/** A message whose list of entries is to be parsed in parts. */
export interface CutMessage {
  readonly text: string
  /** The bounds of the items in the text. */
  readonly start: number
  readonly end: number
  /** The message with an empty list. */
  readonly rest: string
}

/** Shorter messages are not cut. */
const MIN_LENGTH = 2 ** 17
/** The least characters of a part: some ms. */
const PART = 2 ** 16

const OPENING = '"entries":['
/** Between two items of the list, as every node writes them: the last field of each is a record. */
const BETWEEN = '}},{'

/** Cuts a long list out of a message; undefined where there is none. */
export function cutList(text: string): CutMessage | undefined {
  if (text.length < MIN_LENGTH) return undefined
  const start = text.indexOf(OPENING) + OPENING.length
  const end = text.lastIndexOf(']')
  if (start < OPENING.length || end < start) return undefined
  return { text, start, end, rest: text.slice(0, start) + text.slice(end) }
}

/**
 * The list in parts, each a list of some of the items. A cut between two items leaves two lists; any other leaves a
 * part that is no list.
 */
export function* partsOf({ text, start, end }: CutMessage): Iterable<string> {
  for (let from = start; from < end;) {
    const between = text.indexOf(BETWEEN, from + PART)
    const to = between < 0 || between >= end ? end : between + 2
    yield `[${text.slice(from, to)}]`
    from = to + 1
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as a JSON object. Throws `MalformedFrame` if it is none. */
export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedFrame(`Expected a record, not ${typeof value}`)
  }
  return value as JsonObject
}

/** The value as a JSON array. Throws `MalformedFrame` if it is none. */
export function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedFrame(`Expected a list, not ${typeof value}`)
  return value
}
