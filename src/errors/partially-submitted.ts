import { ChainError } from './chain-error.js'
import { hasUnknownOutcome } from './rpc-error.js'

/** Progress of a payment of several transactions. */
export interface SubmissionProgress {
  /** Ids of the submitted transactions, in order. */
  readonly submitted: readonly string[]
  /** Ids of the others, in order. The node may have accepted the first one if its reply was lost. */
  readonly unsubmitted: readonly string[]
  /**
   * Submits the remaining transactions; resolves to all ids. After a lost reply the first one is looked up by id before
   * it is sent, so nothing is submitted twice. `signal` stops further submissions.
   */
  resume(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly string[]>
}

/** A payment of several transactions failed after some were submitted; the reason is in `cause`. */
export type PartiallySubmittedError = ChainError<'partially-submitted'> & SubmissionProgress

export function partiallySubmitted(cause: unknown, progress: SubmissionProgress): PartiallySubmittedError {
  const { submitted, unsubmitted } = progress
  const message = `The payment stopped after ${submitted.length} of ${submitted.length + unsubmitted.length} transactions`
  const hint = hasUnknownOutcome(cause)
    ? 'Call resume(): it looks up the transaction whose reply was lost before it submits anything.'
    : 'Call resume() to submit the others, or stop here: the submitted ones only compounded your own UTXOs.'
  return Object.assign(new ChainError(message, { code: 'partially-submitted', cause, hint }), progress)
}

/** Narrows an error to `PartiallySubmittedError`, which has `resume()`. */
export const isPartiallySubmitted = (error: unknown): error is PartiallySubmittedError =>
  error instanceof ChainError && error.code === 'partially-submitted' && 'resume' in error
