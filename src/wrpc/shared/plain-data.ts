import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'

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

/** An error of a call or a dial as plain data. */
export interface ErrorFacts {
  readonly method: string
  readonly code: string
  readonly message: string
  readonly details: string
  readonly hint: string | undefined
  readonly argument: string | undefined
  /** The message of its cause. */
  readonly cause: string | undefined
}

export function encodeError(error: unknown, method: string): ErrorFacts {
  const failed = error instanceof ChainRpcError ? error : new ChainRpcError(method, error, { code: codeOf(error) })
  const { code, message, details, hint, argument, cause } = failed
  return {
    method: failed.method,
    code,
    message,
    details,
    hint,
    argument,
    cause: cause instanceof Error ? cause.message : undefined,
  }
}

/** Code that could not be loaded keeps its code, which is not retried at another endpoint. */
const codeOf = (error: unknown): ChainRpcErrorCode =>
  error instanceof ChainError && error.code === 'code-not-loaded' ? 'code-not-loaded' : 'failed'

export const decodeError = ({ method, code, message, details, hint, argument, cause }: ErrorFacts): ChainRpcError =>
  new ChainRpcError(method, cause === undefined ? undefined : new ChainError(cause), {
    code: code as ChainRpcErrorCode, // of `encodeError`
    message,
    details,
    hint,
    argument,
  })
