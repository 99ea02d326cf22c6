import { ChainError, type ChainErrorOptions } from './chain-error.js'
import type { RejectReason } from './rpc-error.js'
import { withOutcome } from './with-outcome.js'

/**
 * `unknown-outcome`: the wallet may have paid, and nothing proves that it did not; look at the paying address before
 * another payment. `aborted`: ended by `abort()`, `disconnect()` or an account switch. `busy`: the wallet's window is
 * open with another request. `rejected-by-node`: the wallet's node rejected the transaction, which another node may
 * have; why is in `reason`. `not-sent`: the wallet stopped responding, and nothing was sent. `unexpected-response`: the
 * result is not what was requested, such as a signature of another input; it is the `cause`. `disposed`: called after
 * the engine was disposed of. `device-disconnected`: a hardware device was unplugged, or is out of reach.
 */
export type ChainWalletErrorCode =
  | 'rejected'
  | 'not-installed'
  | 'not-connected'
  | 'device-disconnected'
  | 'locked'
  | 'timeout'
  | 'unknown-outcome'
  | 'not-sent'
  | 'rejected-by-node'
  | 'unexpected-response'
  | 'unsupported'
  | 'wrong-network'
  | 'invalid-argument'
  | 'busy'
  | 'aborted'
  | 'disposed'
  | 'failed'

export interface ChainWalletErrorOptions extends Omit<ChainErrorOptions<ChainWalletErrorCode>, 'cause'> {
  readonly reason?: RejectReason | undefined
}

/**
 * An operation of a browser wallet or a device failed. Its own error is in `cause`, untouched; the operation in
 * `operation`.
 */
export class ChainWalletError extends ChainError<ChainWalletErrorCode> {
  override readonly name = 'ChainWalletError'
  readonly operation: string
  /** Only of `rejected-by-node`. */
  readonly reason: RejectReason | undefined

  constructor(operation: string, cause?: unknown, options: ChainWalletErrorOptions = {}) {
    super(`Wallet operation "${operation}" failed`, { ...options, cause, hint: options.hint ?? hintOf(options.code) })
    this.operation = operation
    this.reason = options.reason
  }
}

/** The remedy of a failure without a known kind. */
const hintOf = (code: ChainWalletErrorCode = 'failed'): string | undefined =>
  code === 'failed' ? "The wallet's own error is in `cause`. Look into the wallet, then try again." : undefined

/** Returns a `ChainWalletError` unchanged; wraps anything else as its cause. */
export const asWalletError = (operation: string, error: unknown): ChainWalletError =>
  error instanceof ChainWalletError ? error : new ChainWalletError(operation, error)

/** The error of an inner step, renamed to the operation that contains the step. */
export function asErrorOf(operation: string, error: unknown): ChainWalletError {
  const walletError = asWalletError(operation, error)
  if (walletError.operation === operation) return walletError
  const { cause, code, hint, argument, details, reason, outcome } = walletError
  return new ChainWalletError(operation, cause, { code, hint, argument, details, reason, outcome })
}

/**
 * Creates the error of an argument that is rejected before the wallet is called; `cause` says what is wrong with it.
 */
export const refuseArgument = (operation: string, argument: string, cause: Error, hint?: string): ChainWalletError =>
  new ChainWalletError(operation, cause, { code: 'invalid-argument', argument, hint })

/** Calls that may move money: an error of theirs is `unknown-outcome` unless it proves that nothing was sent. */
const PAYING_OPERATIONS: readonly string[] = ['sendKaspa', 'sendMany', 'request']

/** Whether an operation may move money. */
export const isPaying = (operation: string): boolean => PAYING_OPERATIONS.includes(operation)

/** Creates the error of a call that may have moved money, without evidence of what happened. */
export const unknownOutcome = (operation: string, cause: unknown): ChainWalletError =>
  new ChainWalletError(operation, cause, {
    code: 'unknown-outcome',
    outcome: 'unknown',
    hint: "The payment may have been made, and the wallet's window may still be open. Look at the transactions of the paying address before you pay again.",
  })

/**
 * Codes of a payment that the network may have. A node's rejection proves nothing: another node may have the
 * transaction.
 */
const MAY_BE_SENT: readonly ChainWalletErrorCode[] = ['unknown-outcome', 'rejected-by-node']

/** Sets the `outcome` of a payment's error; any other error stays as it is. */
export const withPaymentOutcome = (error: ChainWalletError): ChainWalletError =>
  isPaying(error.operation) ? withOutcome(error, MAY_BE_SENT.includes(error.code) ? 'unknown' : 'unsent') : error
