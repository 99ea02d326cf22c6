import { MAX_SOMPI } from '../../model/amount.js'

/**
 * Shapes describe wire records as data; `decodeShape` checks each field against them. Integers keep their digits,
 * `null` becomes `undefined`. Fields that the shape does not name are left unchanged, for newer servers.
 */

/**
 * The fields of a record: required ones in `has`, optional or nullable ones in `may`. `…Exact` fields are not named:
 * decoding adds them. `rename` rewrites wire names before the fields are checked.
 */
export type RecordShape<T> = { readonly rename?: (record: WireRecord) => void } & Part<'has', Required<T>> &
  Part<'may', Optional<T>>

type Required<T> = { readonly [K in keyof T as IsOptional<T, K> extends true ? never : NotExact<K>]: Field<T[K]> }
type Optional<T> = {
  readonly [K in keyof T as IsOptional<T, K> extends true ? NotExact<K> : never]-?: Field<Exclude<T[K], undefined>>
}
/** A part without fields may be left out. */
type Part<Name extends string, Fields> = keyof Fields extends never ? unknown : Readonly<Record<Name, Fields>>

/** A record, or a list of one shape. */
export type Shape<T> = Yields<T> &
  (T extends readonly (infer Item)[] ? ListShape<Item> : T extends object ? RecordShape<T> : never)

/** Ties a shape to its result type. Never set. */
interface Yields<T> {
  readonly yields?: T
}

interface ListShape<Item> {
  readonly each: Shape<Item>
}

/**
 * Numbers: `int`, an integer that a double holds exactly; `count`, the same from 0, also for scores; `time`, Unix ms up
 * to the year 9999; `u32`, an index, a version or bits. `u64`: an integer of up to 64 bits, rounded to a double, and
 * exact in `<field>Exact`. `sompi`: the same, within the maximum supply. `float`: a measured value, a double on the
 * server; `measure`, the same from 0. Decimal text for `BigInt`: `digits`; `countDigits`, up to 2^63 - 1, also for
 * scores; `timeDigits`; `sompiDigits`. A number beyond its range makes the response invalid, here and nowhere else.
 */
type Field<V> = [V] extends [string]
  ? 'text' | 'digits' | 'countDigits' | 'timeDigits' | 'sompiDigits'
  : [V] extends [boolean]
    ? 'flag'
    : [V] extends [number]
      ? 'int' | 'count' | 'time' | 'u32' | 'u64' | 'sompi' | 'float' | 'measure'
      : [V] extends [string[]]
        ? 'texts'
        : [V] extends [Record<string, unknown>]
          ? 'object' | Shape<V>
          : Shape<V>

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false
type NotExact<K> = K extends `${string}Exact` ? never : K

export type WireRecord = Record<string, unknown>

/** The response does not match the shape. The message names the field, never its content. */
export class Mismatch extends Error {}

/** The response has the shape, but is not about what was requested, or has values that cannot be. */
export class Unexpected extends Error {}

/**
 * Decodes `value` by `shape`. Mutates freshly parsed records in place. Throws `Mismatch`.
 */
export function decodeShape<T>(shape: Shape<T>, value: unknown): T {
  return decode(shape, value, 'the response') as T // checked against the shape
}

/** A shape without its result type. */
type AnyShape =
  | { readonly each: AnyShape }
  | { readonly has?: Fields; readonly may?: Fields; readonly rename?: (record: WireRecord) => void }
type Fields = Readonly<Record<string, keyof typeof KINDS | AnyShape>>

function decode(shape: AnyShape, value: unknown, name: string): unknown {
  if ('each' in shape) {
    if (!Array.isArray(value)) throw new Mismatch(`${name} is not a list`)
    for (const [index, item] of value.entries()) value[index] = decode(shape.each, item, `an entry of ${name}`)
    return value
  }
  if (!isRecord(value)) throw new Mismatch(`${name} is not a record`)
  shape.rename?.(value)
  const { has = {}, may = {} } = shape
  for (const key in has) decodeField(has, value, key)
  for (const key in may) {
    if ((value[key] ?? undefined) === undefined) value[key] = undefined
    else decodeField(may, value, key)
  }
  return value
}

function decodeField(fields: Fields, record: WireRecord, key: string): void {
  const field = fields[key]
  if (typeof field === 'string') KINDS[field](record, key)
  else if (field !== undefined) record[key] = decode(field, record[key], `"${key}"`)
}

/** An indexer cannot make an application show money that cannot exist. */
const POSSIBLE = 'an amount from 0 to the maximum supply'

/** The last ms of the year 9999: databases read no later time in ISO 8601. */
const MAX_TIME = 253_402_300_799_999
const TIME = 'a time'

/** Scores and counts are stored as signed integers of 64 bits. */
const MAX_STORED = 2n ** 63n - 1n

/** Checks and, where needed, conversions by field kind. */
export const KINDS = {
  text: (record: WireRecord, key: string) => check(typeof record[key] === 'string', key, 'text'),
  digits: (record: WireRecord, key: string) => check(areDigits(record[key]), key, 'an integer as text'),
  flag: (record: WireRecord, key: string) => check(typeof record[key] === 'boolean', key, 'true or false'),
  countDigits: digitsUpTo(MAX_STORED, 'an integer from 0 to 2^63 - 1 as text'),
  timeDigits: digitsUpTo(BigInt(MAX_TIME), TIME),
  int: (record: WireRecord, key: string) => check(Number.isSafeInteger(record[key]), key, 'an integer'),
  count: intUpTo(Number.MAX_SAFE_INTEGER, 'an integer from 0'),
  time: intUpTo(MAX_TIME, TIME),
  u32: intUpTo(2 ** 32 - 1, 'an integer of 32 bits'),
  texts: (record: WireRecord, key: string) => check(areTexts(record[key]), key, 'a list of texts'),
  object: (record: WireRecord, key: string) => check(isRecord(record[key]), key, 'a record'),
  float(record: WireRecord, key: string) {
    check(isNumeric(record[key]), key, 'a number')
    record[key] = Number(record[key])
  },
  measure(record: WireRecord, key: string) {
    KINDS.float(record, key)
    check(Number(record[key]) >= 0, key, 'a number from 0')
  },
  u64: (record: WireRecord, key: string) => toExact(record, key, MAX_U64, 'an integer of 64 bits'),
  sompi: (record: WireRecord, key: string) => toExact(record, key, MAX_SOMPI, POSSIBLE),
  sompiDigits: digitsUpTo(MAX_SOMPI, POSSIBLE),
}

type Check = (record: WireRecord, key: string) => void

function intUpTo(most: number, kind: string): Check {
  return (record, key) => {
    const value = record[key]
    check(Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most, key, kind)
  }
}

function digitsUpTo(most: bigint, kind: string): Check {
  return (record, key) => {
    const value = record[key]
    check(areDigits(value) && value.length < 30 && BigInt(value) <= most, key, kind)
  }
}

function toExact(record: WireRecord, key: string, most: bigint, kind: string): void {
  const exact = record[key]
  if (typeof exact !== 'bigint' && !Number.isSafeInteger(exact)) throw new Mismatch(`"${key}" is not an integer`)
  const integer = exact as number | bigint
  check(integer >= 0 && integer <= most, key, kind)
  record[key] = Number(integer)
  record[`${key}Exact`] = BigInt(integer)
}

function check(fits: boolean, key: string, kind: string): void {
  if (!fits) throw new Mismatch(`"${key}" is not ${kind}`)
}

const MAX_U64 = 2n ** 64n - 1n

const areDigits = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value)
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
/** False for JSON numbers beyond the range of a double, which parse as Infinity. */
const isNumeric = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && Number.isFinite(Number(value))

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
