import { ChainError, type ErrorDetails } from './chain-error.js'

export type ChainCryptoErrorCode =
  'invalid-argument' | 'invalid-mnemonic' | 'invalid-key' | 'invalid-signature' | 'key-mismatch' | 'failed'

/**
 * A cryptographic operation failed: a phrase that is none, a key of the wrong length, a signature that cannot be made.
 * Neither message nor cause ever holds a key, a phrase or a passphrase.
 */
export class ChainCryptoError extends ChainError<ChainCryptoErrorCode> {
  override readonly name = 'ChainCryptoError'
  readonly operation: string

  constructor(operation: string, cause?: unknown, details: Omit<ErrorDetails<ChainCryptoErrorCode>, 'cause'> = {}) {
    super(`Crypto operation "${operation}" failed`, { ...details, cause })
    this.operation = operation
  }
}
