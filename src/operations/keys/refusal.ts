import { ChainError } from '../../errors/chain-error.js'
import { ChainCryptoError, type ChainCryptoErrorCode } from '../../errors/crypto-error.js'

/** Why an argument is refused, in words for a person. Never quotes it: it may be a key or a phrase. */
export interface Refusal {
  readonly code: ChainCryptoErrorCode
  /** The argument as the caller wrote it: `path.index`. */
  readonly argument: string
  readonly story: string
  readonly hint: string
}

/** The error of a refused argument. */
export const refuse = (operation: string, { code, argument, story, hint }: Refusal): ChainCryptoError =>
  new ChainCryptoError(operation, new Error(story), { code, argument, hint })

/**
 * Runs what asks the SDK. The SDK's own refusal becomes a `ChainCryptoError`, about `culprit` where only one argument can
 * be at fault; an error of ours passes as it is.
 */
export function ask<Result>(operation: string, call: () => Result, culprit?: Omit<Refusal, 'story'>): Result {
  try {
    return call()
  } catch (cause) {
    if (cause instanceof ChainError) throw cause
    throw new ChainCryptoError(operation, cause, culprit)
  }
}
