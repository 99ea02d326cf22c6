import { ChainError, definePayments, type FailedOutcome } from './chain-error.js'
import { codeNotLoaded, isCodeNotLoaded } from './not-ready-error.js'
import type { SerializedTransaction } from './serialized-transaction.js'

/** The outcome of a failed submission; undefined for other errors. */
export const outcomeOf = (error: unknown): FailedOutcome | undefined =>
  error instanceof ChainError ? error.outcome : undefined

/** Sets the outcome of a failed submission, and the id of a signed transaction, on an error without an outcome. */
export function withOutcome<E>(error: E, outcome: FailedOutcome, transactionId?: string): E {
  if (!(error instanceof ChainError) || error.outcome !== undefined) return error
  return Object.assign(error, { outcome, transactionId })
}

/** As `withOutcome`; of code not loaded a copy, because calls that wait for one load share its error. */
export const withOwnOutcome = <E>(error: E, outcome: FailedOutcome): E | ChainError<'code-not-loaded'> =>
  withOutcome(isCodeNotLoaded(error) ? codeNotLoaded(error.cause) : error, outcome)

/** Runs a submission, whose error gets this outcome where it has none. */
export async function withFailedOutcome<T>(outcome: FailedOutcome, submit: () => Promise<T>): Promise<T> {
  try {
    return await submit()
  } catch (error) {
    throw withOwnOutcome(error, outcome)
  }
}

/** Sets the signed transactions of a payment on an error whose outcome is `unknown`. */
export function withPayments<E>(error: E, payments: () => readonly SerializedTransaction[]): E {
  if (error instanceof ChainError && outcomeOf(error) === 'unknown') definePayments(error, payments())
  return error
}
