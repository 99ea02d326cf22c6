/**
 * What records look like on the wire, as data, and the one function that reads by it: each field is checked, numbers
 * keep their digits, and what the server sends as `null` becomes `undefined`. Fields that no shape names are left as
 * they came: a newer server may know more than we do.
 */

/**
 * The fields of a record: those it always `has`, and those that it `may` have, else missing or null. What stands in
 * `…Exact` beside an integer is not named: reading puts it there. `rename` rewrites what the server calls otherwise,
 * before the fields are looked at.
 */
export type RecordShape<T> = { readonly rename?: (record: WireRecord) => void } & Part<'has', Required<T>> &
  Part<'may', Optional<T>>

type Required<T> = { readonly [K in keyof T as IsOptional<T, K> extends true ? never : NotExact<K>]: Field<T[K]> }
type Optional<T> = {
  readonly [K in keyof T as IsOptional<T, K> extends true ? NotExact<K> : never]-?: Field<Exclude<T[K], undefined>>
}
/** A part without fields need not be written. */
type Part<Name extends string, Fields> = keyof Fields extends never ? unknown : Readonly<Record<Name, Fields>>

/** A record, or a list of one shape. */
export type Shape<T> = Makes<T> &
  (T extends readonly (infer Item)[] ? ListShape<Item> : T extends object ? RecordShape<T> : never)

/** Ties a shape to what is made by it. Never set. */
interface Makes<T> {
  readonly makes?: T
}

interface ListShape<Item> {
  readonly each: Shape<Item>
}

/**
 * `int`: an integer that a double holds exactly, such as a time or a score. `u64`: one of up to 64 bits, as near as a
 * double comes, and to the last digit in `<field>Exact`. `float`: a measured value, which started its life as a double.
 * `digits`: an integer as decimal text, which `BigInt` reads.
 */
type Field<V> = [V] extends [string]
  ? 'text' | 'digits'
  : [V] extends [boolean]
    ? 'flag'
    : [V] extends [number]
      ? 'int' | 'u64' | 'float'
      : [V] extends [string[]]
        ? 'texts'
        : [V] extends [Record<string, unknown>]
          ? 'object' | Shape<V>
          : Shape<V>

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false
type NotExact<K> = K extends `${string}Exact` ? never : K

export type WireRecord = Record<string, unknown>

/** An answer that is not what the endpoint promises. The message names the field, never its content. */
export class Mismatch extends Error {}

/**
 * Reads `value` by `shape`. Records are changed in place: they have just been parsed, and nobody else holds them.
 * Throws `Mismatch`.
 */
export function readShape<T>(shape: Shape<T>, value: unknown): T {
  return read(shape, value, 'the answer') as T // the shape's type is the proof
}

/** A shape without its type: what the reading functions walk along. */
type AnyShape =
  | { readonly each: AnyShape }
  | { readonly has?: Fields; readonly may?: Fields; readonly rename?: (record: WireRecord) => void }
type Fields = Readonly<Record<string, keyof typeof KINDS | AnyShape>>

function read(shape: AnyShape, value: unknown, name: string): unknown {
  if ('each' in shape) {
    if (!Array.isArray(value)) throw new Mismatch(`${name} is not a list`)
    for (const [index, item] of value.entries()) value[index] = read(shape.each, item, `an entry of ${name}`)
    return value
  }
  if (!isRecord(value)) throw new Mismatch(`${name} is not a record`)
  shape.rename?.(value)
  const { has = {}, may = {} } = shape
  for (const key in has) readField(has, value, key)
  for (const key in may) {
    if ((value[key] ?? undefined) === undefined) value[key] = undefined
    else readField(may, value, key)
  }
  return value
}

function readField(fields: Fields, record: WireRecord, key: string): void {
  const field = fields[key]
  if (typeof field === 'string') KINDS[field](record, key)
  else if (field !== undefined) record[key] = read(field, record[key], `"${key}"`)
}

/** How each kind of field is checked and, where needed, rewritten. */
const KINDS = {
  text: (record: WireRecord, key: string) => check(typeof record[key] === 'string', key, 'text'),
  digits: (record: WireRecord, key: string) => check(areDigits(record[key]), key, 'an integer as text'),
  flag: (record: WireRecord, key: string) => check(typeof record[key] === 'boolean', key, 'true or false'),
  int: (record: WireRecord, key: string) => check(Number.isSafeInteger(record[key]), key, 'an integer'),
  texts: (record: WireRecord, key: string) => check(areTexts(record[key]), key, 'a list of texts'),
  object: (record: WireRecord, key: string) => check(isRecord(record[key]), key, 'a record'),
  float(record: WireRecord, key: string) {
    check(isNumeric(record[key]), key, 'a number')
    record[key] = Number(record[key])
  },
  u64(record: WireRecord, key: string) {
    const exact = record[key]
    if (typeof exact !== 'bigint' && !Number.isSafeInteger(exact)) throw new Mismatch(`"${key}" is not an integer`)
    const integer = exact as number | bigint
    check(integer >= 0 && integer <= MAX_U64, key, 'an integer of 64 bits')
    record[key] = Number(integer)
    record[`${key}Exact`] = BigInt(integer)
  },
}

function check(fits: boolean, key: string, kind: string): void {
  if (!fits) throw new Mismatch(`"${key}" is not ${kind}`)
}

const MAX_U64 = 2n ** 64n - 1n

const areDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value)
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
/** JSON can say more than a double holds: that is read as infinite. */
const isNumeric = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && Number.isFinite(Number(value))

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
