/** Levels that are kept; a remote body may be nested deeper than a stack. */
const MAX_DEPTH = 8

/**
 * A copy that every serialiser takes: bigints as decimal strings, deeper levels and functions by their type only. Reads
 * each value once.
 */
export function toPlain(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[…]'
  if (Array.isArray(value)) return value.map((item) => toPlain(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item, depth - 1)]))
}
