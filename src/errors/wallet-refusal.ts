import { ChainWalletError, type ChainWalletErrorCode } from './wallet-error.js'
import { withOutcome } from './with-outcome.js'

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
