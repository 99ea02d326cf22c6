import { ChainError } from '../../errors/chain-error.js'
import { ChainCryptoError, type ChainCryptoErrorCode } from '../../errors/crypto-error.js'

/** An invalid argument. The texts never quote it: it may be a key or a mnemonic. */
export interface InvalidInput {
  readonly code: ChainCryptoErrorCode
  /** The path of the argument: `path.index`. */
  readonly argument: string
  readonly reason: string
  readonly hint: string
}

export const cryptoError = (operation: string, { code, argument, reason, hint }: InvalidInput): ChainCryptoError =>
  new ChainCryptoError(operation, new Error(reason), { code, argument, hint })

/**
 * Calls the SDK. An error of the SDK becomes a `ChainCryptoError`, with `details` where only one argument can be the
 * cause; a `ChainError` is rethrown unchanged.
 */
export function callSdk<Result>(operation: string, call: () => Result, details?: Omit<InvalidInput, 'reason'>): Result {
  try {
    return call()
  } catch (cause) {
    if (cause instanceof ChainError) throw cause
    throw new ChainCryptoError(operation, cause, details)
  }
}
