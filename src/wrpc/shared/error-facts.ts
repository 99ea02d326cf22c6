import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'

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
