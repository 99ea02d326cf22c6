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
