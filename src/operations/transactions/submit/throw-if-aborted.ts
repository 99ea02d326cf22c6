import { ChainError } from '../../../errors/chain-error.js'
import { hasUnknownOutcome } from '../../../errors/rpc-error.js'

/** Throws `ChainError` (`aborted`) where the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return
  throw new ChainError('The payment was aborted before it was sent', {
    code: 'aborted',
    cause: signal.reason,
    hint: 'Unsent transactions are not submitted, and their UTXOs are released.',
  })
}

/** Whether a payment was aborted before it was sent. */
export const isAborted = (error: unknown): boolean =>
  error instanceof ChainError && error.code === 'aborted' && !hasUnknownOutcome(error)
