import { ChainError, type ChainErrorOptions } from './chain-error.js'

export type ChainCryptoErrorCode =
  | 'invalid-argument'
  | 'invalid-mnemonic'
  | 'invalid-key'
  | 'invalid-signature'
  | 'unsupported-address'
  | 'key-mismatch'
  | 'amount-conflict'
  | 'failed'

/**
 * A cryptographic operation failed: an invalid mnemonic, a key of the wrong length, a signature that cannot be created.
 * Neither message, details nor cause ever holds a key, a mnemonic or a passphrase.
 */
export class ChainCryptoError extends ChainError<ChainCryptoErrorCode> {
  override readonly name = 'ChainCryptoError'
  readonly operation: string

  constructor(
    operation: string,
    cause?: unknown,
    options: Omit<ChainErrorOptions<ChainCryptoErrorCode>, 'cause'> = {},
  ) {
    super(`Crypto operation "${operation}" failed`, { ...options, cause })
    this.operation = operation
  }
}
