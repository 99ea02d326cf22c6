/**
 * Validation as in the server's framework: values are converted where possible, else a problem with the framework's own
 * text is recorded. All problems of a request are returned together.
 */

/** The path of a value: `['body', 'transaction', 'outputs', 0, 'amount']`. */
export type Location = readonly (string | number)[]

export interface Problem {
  readonly loc: Location
  readonly msg: string
  readonly type: string
  readonly ctx?: Readonly<Record<string, unknown>>
}

/** The validation problems of a request. */
export class Problems {
  readonly list: Problem[] = []

  /** Adds one. The returned value is never used: a request with problems is refused. */
  add(loc: Location, msg: string, type: string, ctx?: Problem['ctx']): never {
    this.list.push({ loc, msg, type, ...(ctx && { ctx }) })
    return undefined as never
  }
}

/** Validates and converts one value; the result is ignored if it adds a problem. */
export type Reader<T> = (value: unknown, loc: Location, problems: Problems) => T

export const missing = (loc: Location, problems: Problems): never =>
  problems.add(loc, 'field required', 'value_error.missing')

const isNone = (value: unknown): boolean => value === null

const none = (loc: Location, problems: Problems): never =>
  problems.add(loc, 'none is not an allowed value', 'type_error.none.not_allowed')

/** Integers, also as text; fractions are truncated. Long ones are text with a `#`, added by the JSON parser. */
export const integer: Reader<bigint> = (value, loc, problems) => {
  if (isNone(value)) return none(loc, problems)
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value))
  if (typeof value === 'boolean') return value ? 1n : 0n
  const digits = typeof value === 'string' ? /^#?\s*([+-]?\d+)\s*$/.exec(value)?.[1] : undefined
  return digits === undefined
    ? problems.add(loc, 'value is not a valid integer', 'type_error.integer')
    : BigInt(digits.replace('+', ''))
}

/** An integer within bounds. */
export const between =
  (least: number, most = Infinity): Reader<number> =>
  (value, loc, problems) => {
    const number = Number(integer(value, loc, problems))
    if (number < least) return bound(loc, problems, 'greater', 'ge', least)
    return number > most ? bound(loc, problems, 'less', 'le', most) : number
  }

const bound = (loc: Location, problems: Problems, word: string, code: string, limit: number): never =>
  problems.add(loc, `ensure this value is ${word} than or equal to ${limit}`, `value_error.number.not_${code}`, {
    limit_value: limit,
  })

const YES = ['1', 'on', 't', 'true', 'y', 'yes']
const NO = ['0', 'off', 'f', 'false', 'n', 'no']

export const boolean: Reader<boolean> = (value, loc, problems) => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (YES.some((yes) => yes === word) || word === 1) return true
  if (NO.some((no) => no === word) || word === 0) return false
  return isNone(value)
    ? none(loc, problems)
    : problems.add(loc, 'value could not be parsed to a boolean', 'type_error.bool')
}

/** Text; other scalars are converted to text. */
export const text: Reader<string> = (value, loc, problems) => {
  if (isNone(value)) return none(loc, problems)
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return problems.add(loc, 'str type expected', 'type_error.str')
}

/** A text that begins with a match of the pattern, which is quoted in the problem. */
export const matching = /*#__NO_SIDE_EFFECTS__*/ (pattern: string): Reader<string> => {
  const expression = new RegExp(`^(?:${pattern})`)
  return (value, loc, problems) => {
    const found = text(value, loc, problems)
    if (typeof found !== 'string' || expression.test(found)) return found
    return problems.add(loc, `string does not match regex "${pattern}"`, 'value_error.str.regex', { pattern })
  }
}

export const oneOf =
  <const Value extends string>(...values: readonly Value[]): Reader<Value> =>
  (value, loc, problems) => {
    const found = values.find((candidate) => candidate === value)
    if (found !== undefined) return found
    const permitted = values.map((candidate) => `'${candidate}'`).join(', ')
    const msg = `value is not a valid enumeration member; permitted: ${permitted}`
    return problems.add(loc, msg, 'type_error.enum', { enum_values: values })
  }

export const listOf =
  <T>(reader: Reader<T>): Reader<readonly T[]> =>
  (value, loc, problems) => {
    if (isNone(value)) return none(loc, problems)
    if (!Array.isArray(value)) return problems.add(loc, 'value is not a valid list', 'type_error.list')
    return value.map((item, index) => reader(item, [...loc, index], problems))
  }

/** Accepts `null`. */
export const orNull =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, loc, problems) =>
    isNone(value) ? null : reader(value, loc, problems)

/** An optional field with its default. */
export interface Defaulted<T> {
  readonly reader: Reader<T>
  readonly fallback: T
}

export type Fields = Readonly<Record<string, Reader<unknown> | Defaulted<unknown>>>

export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Reader<infer T> ? T : F[Name] extends Defaulted<infer T> ? T : never
}

export const withDefault = <T>(reader: Reader<T>, fallback: NoInfer<T>): Defaulted<T> => ({ reader, fallback })

/** Reads the named fields; others are ignored. */
export function readFields<F extends Fields>(
  fields: F,
  given: (name: string) => unknown,
  loc: Location,
  problems: Problems,
): Values<F> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const value = given(name)
    const at = [...loc, name]
    if (typeof field === 'function')
      return [name, value === undefined ? missing(at, problems) : field(value, at, problems)]
    return [name, value === undefined ? field.fallback : field.reader(value, at, problems)]
  })
  return Object.fromEntries(entries) as Values<F> // each value has the type of its reader
}

/** A record. The framework accepts an empty list as an empty record. */
export const record =
  <F extends Fields>(fields: F): Reader<Values<F>> =>
  (value, loc, problems) => {
    if (isNone(value)) return none(loc, problems)
    const isEmptyList = Array.isArray(value) && value.length === 0
    if (typeof value !== 'object' || (Array.isArray(value) && !isEmptyList)) {
      return problems.add(loc, 'value is not a valid dict', 'type_error.dict')
    }
    return readFields(fields, (name) => (value as Record<string, unknown>)[name], loc, problems)
  }
