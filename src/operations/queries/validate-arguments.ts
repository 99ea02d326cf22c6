import { ChainError, type ChainErrorOptions } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

/**
 * The result of `check`. An error becomes a `ChainRpcError` of `method`, also a `TypeError` from an argument of the
 * wrong type.
 */
export function validateArguments<T>(method: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    const { argument, hint }: ChainErrorOptions = cause instanceof ChainError ? cause : {}
    throw new ChainRpcError(method, cause, { code: 'invalid-argument', argument, hint })
  }
}
