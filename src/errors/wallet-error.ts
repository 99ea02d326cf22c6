import { ChainError, type ErrorDetails } from './chain-error.js'

/** `unknown-outcome`: the wallet may or may not have acted; look for the transaction before trying again. */
export type ChainWalletErrorCode =
  | 'rejected'
  | 'not-installed'
  | 'not-connected'
  | 'locked'
  | 'timeout'
  | 'unknown-outcome'
  | 'unsupported'
  | 'wrong-network'
  | 'invalid-argument'
  | 'busy'
  | 'cancelled'
  | 'failed'

/** A browser wallet's operation failed. The wallet's own error is in `cause`, untouched; the operation in `operation`. */
export class ChainWalletError extends ChainError<ChainWalletErrorCode> {
  override readonly name = 'ChainWalletError'
  readonly operation: string

  constructor(operation: string, cause?: unknown, details: Omit<ErrorDetails<ChainWalletErrorCode>, 'cause'> = {}) {
    super(`Wallet operation "${operation}" failed`, { ...details, cause })
    this.operation = operation
  }
}
