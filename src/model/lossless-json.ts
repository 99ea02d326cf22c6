/**
 * JSON that keeps bigints and numbers that are not finite, which plain JSON cannot hold. `fromLosslessJson` reads it.
 * Safe inside a script element. Anything else is written as `JSON.stringify` does it: undefined fields are left out,
 * undefined itself is null. Throws `TypeError` for a value that contains itself.
 * @example
 * const text = toLosslessJson({ balance: 9007199254740993n }) // {"balance":{"$bigint":"9007199254740993"}}
 */
export function toLosslessJson(value: unknown): string {
  const text = JSON.stringify(value, write) as string | undefined // undefined for undefined, functions and symbols
  return (text ?? 'null').replaceAll('<', '\\u003c')
}

/** Reads what `toLosslessJson` wrote, and plain JSON. Throws `SyntaxError` for invalid JSON. */
export function fromLosslessJson(text: string): unknown {
  return JSON.parse(text, read)
}

function write(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  return renameKeys(value, ESCAPABLE, (key) => `$${key}`)
}

function read(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { $bigint, $number } = value as { readonly $bigint?: unknown; readonly $number?: unknown }
  if (typeof $bigint === 'string' && DIGITS.test($bigint)) return BigInt($bigint)
  if (typeof $number === 'string' && NOT_FINITE.test($number)) return Number($number)
  return renameKeys(value, ESCAPED, (key) => key.slice(1))
}

/** A record that happens to use one of the two names is written with one `$` more. */
const ESCAPABLE = /^\$+(?:bigint|number)$/
const ESCAPED = /^\$\$+(?:bigint|number)$/
const NOT_FINITE = /^(?:NaN|-?Infinity)$/
/** At most so many that converting them takes no time: text may come from elsewhere. */
const DIGITS = /^-?\d{1,1000}$/

function renameKeys(value: unknown, matches: RegExp, rename: (key: string) => string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (!Object.keys(value).some((key) => matches.test(key))) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [matches.test(key) ? rename(key) : key, item]))
}

/**
 * JSON with the keys of each record in ascending order and without spaces, so that equal values are equal texts. Throws
 * `TypeError` for what JSON cannot hold: undefined, numbers that are not finite, anything but plain records and lists,
 * and values nested deeper than `MAX_DEPTH`.
 */
export function toStableJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TypeError('The value is nested too deeply')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => toStableJson(item, depth + 1)).join(',')}]`
  if (!isRecord(value)) throw new TypeError('The value is no JSON')
  const fields = Object.keys(value).sort() // by UTF-16 code units
  return `{${fields.map((key) => `${JSON.stringify(key)}:${toStableJson(value[key], depth + 1)}`).join(',')}}`
}

/** A JSON record; other objects, such as a `Date`, are none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const MAX_DEPTH = 32
