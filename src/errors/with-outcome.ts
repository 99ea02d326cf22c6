import { ChainError } from './chain-error.js'
import type { FailedOutcome } from './submission-outcome.js'

/** The outcome of a failed submission; undefined for other errors. */
export const outcomeOf = (error: unknown): FailedOutcome | undefined =>
  error instanceof ChainError ? error.outcome : undefined

/** Sets the outcome of a failed submission, and the id of a signed transaction, on an error without an outcome. */
export function withOutcome<E>(error: E, outcome: FailedOutcome, transactionId?: string): E {
  if (!(error instanceof ChainError) || error.outcome !== undefined) return error
  return Object.assign(error, { outcome, transactionId })
}
