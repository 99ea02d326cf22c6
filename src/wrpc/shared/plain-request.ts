import { invalidArgument } from '../../errors/chain-error.js'

/** A request of the node is less deep. */
const MAX_DEPTH = 16

/**
 * A copy of a request that can be posted: of records and lists only. What Vue makes reactive is a proxy, which cannot.
 * Throws `ChainError` (`invalid-argument`) for anything else.
 */
export function toPlainRequest(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || depth === 0)
    throw invalidArgument('request', 'The request has a value that no node understands')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => toPlainRequest(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlainRequest(item, depth - 1)]))
}

/** About how many bytes a plain value takes. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return value.byteLength
  let size = 8
  for (const item of Array.isArray(value) ? value : Object.values(value)) size += 8 + sizeOf(item)
  return size
}
