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
