import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

/** What `check` gives; the refusal of an argument becomes a failure of `method`. */
export function refusedBy<T>(method: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    throw new ChainRpcError(method, cause, { code: 'invalid-argument', argument: cause.argument, hint: cause.hint })
  }
}
