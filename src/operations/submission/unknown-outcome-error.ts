import { ChainError } from '../../errors/chain-error.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'

/**
 * A failed submission that the network may have, now or later. Submit the same signed transactions again, or follow
 * `transactionId`; never plan a new payment in its place.
 */
export interface UnknownOutcomeError extends ChainError {
  readonly outcome: 'unknown'
  readonly transactionId: string
  /**
   * Of `send`, `sweep`, `consolidate` and `cancel`: the signed transactions, for `restore()`. Not enumerable, so that no log has
   * them: they can be submitted as they are.
   */
  readonly payments?: readonly SerializedTransaction[]
}

/** Narrows an error to `UnknownOutcomeError`. */
export const isUnknownOutcome = (error: unknown): error is UnknownOutcomeError =>
  error instanceof ChainError && error.outcome === 'unknown'
