import { ChainError, type ErrorDetails } from './chain-error.js'

/**
 * `unknown-outcome`: the wallet may or may not have acted; look for the transaction before trying again. `cancelled`: given
 * up by `disconnect()`, or overtaken by another account. `busy`: the wallet's window is open with another question.
 */
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

export type WalletErrorDetails = Omit<ErrorDetails<ChainWalletErrorCode>, 'cause'>

/** A browser wallet's operation failed. The wallet's own error is in `cause`, untouched; the operation in `operation`. */
export class ChainWalletError extends ChainError<ChainWalletErrorCode> {
  override readonly name = 'ChainWalletError'
  readonly operation: string

  constructor(operation: string, cause?: unknown, details: WalletErrorDetails = {}) {
    super(`Wallet operation "${operation}" failed`, { ...details, cause })
    this.operation = operation
  }
}

/** An error of a wallet's operation as it is, anything else as the cause of one. */
export const asWalletError = (operation: string, error: unknown): ChainWalletError =>
  error instanceof ChainWalletError ? error : new ChainWalletError(operation, error)

/** The failure of a step as that of the operation which took it: the name changes, what it tells does not. */
export function asFailureOf(operation: string, error: unknown): ChainWalletError {
  const failure = asWalletError(operation, error)
  if (failure.operation === operation) return failure
  const { cause, code, hint, argument } = failure
  return new ChainWalletError(operation, cause, { code, hint, argument })
}
