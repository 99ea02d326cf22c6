import { ChainError, type ErrorDetails } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

/**
 * What `check` gives; the refusal of an argument becomes a failure of `method`. An argument that is not even of the kind
 * that can be checked is refused as well.
 */
export function refusedBy<T>(method: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    const { argument, hint }: ErrorDetails = cause instanceof ChainError ? cause : {}
    throw new ChainRpcError(method, cause, { code: 'invalid-argument', argument, hint })
  }
}
