import { ChainError } from '../../../errors/chain-error.js'
import { outcomeOf } from '../../../errors/with-outcome.js'

/** Throws `ChainError` (`aborted`) where the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBefore(signal.reason)
}

/** The error of a payment that its signal has aborted. */
export const abortedBefore = (reason: unknown): ChainError =>
  new ChainError('The payment was aborted before it was sent', {
    code: 'aborted',
    cause: reason,
    hint: 'Unsent transactions are not submitted, and their UTXOs are released.',
  })

/** Whether a payment was aborted before it was sent. */
export const isAborted = (error: unknown): boolean =>
  error instanceof ChainError && error.code === 'aborted' && outcomeOf(error) !== 'unknown'
