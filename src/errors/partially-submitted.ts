import type { AbortOptions } from './abort-options.js'
import { withDetails } from './cause-details.js'
import { ChainError } from './chain-error.js'
import { ChainRpcError } from './rpc-error.js'
import { outcomeOf } from './with-outcome.js'

/** Progress of a payment of several transactions. */
export interface SubmissionProgress {
  /** Ids of the submitted transactions, in order. */
  readonly submitted: readonly string[]
  /** Ids of the others, in order. The network may have the first one where its `outcome` in `cause` is `unknown`. */
  readonly unsubmitted: readonly string[]
  /**
   * Submits the remaining transactions; resolves to all ids. What may have been sent is looked up by id before it is
   * sent again. `signal` stops further submissions.
   */
  resume(options?: AbortOptions): Promise<readonly string[]>
}

/**
 * A payment of several transactions stopped midway; the reason is in `cause`. `transactionId` is that of the last one,
 * which pays, and `outcome` its outcome: `unsent` where it was not reached, and no other tab or process has the same
 * plan.
 */
export type PartiallySubmittedError = ChainError<'partially-submitted'> & SubmissionProgress

export function partiallySubmitted(cause: unknown, progress: SubmissionProgress): PartiallySubmittedError {
  const { submitted, unsubmitted } = progress
  const total = submitted.length + unsubmitted.length
  const message = withDetails(`The payment stopped after ${submitted.length} of ${total} transactions`, cause)
  const outcome = unsubmitted.length > 1 && !isDuplicate(cause) ? 'unsent' : (outcomeOf(cause) ?? 'unknown')
  const hint =
    outcome === 'unsent'
      ? 'Call resume() to submit the others, or stop here: the submitted ones only compounded your own UTXOs.'
      : 'Call resume(), which looks up what may have been sent before it submits anything. Never plan a new payment in its place.'
  return Object.assign(
    new ChainError(message, { code: 'partially-submitted', cause, hint, outcome, transactionId: unsubmitted.at(-1) }),
    progress,
  )
}

/** Another tab, device or process has made the same plan, and may have sent its last transaction too. */
const isDuplicate = (cause: unknown): boolean => cause instanceof ChainRpcError && cause.reason === 'duplicate'

/** Narrows an error to `PartiallySubmittedError`, which has `resume()`. */
export const isPartiallySubmitted = (error: unknown): error is PartiallySubmittedError =>
  error instanceof ChainError && error.code === 'partially-submitted' && 'resume' in error
