import { ChainError } from '../../../errors/chain-error.js'
import { isUnsettled } from '../../../errors/rpc-error.js'

/** Throws `ChainError` (`cancelled`) where the caller has called the payment off. */
export function heedSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return
  throw new ChainError('The payment was called off before it was sent', {
    code: 'cancelled',
    cause: signal.reason,
    hint: 'What had not gone out stays here, and its coins are free again.',
  })
}

/** Whether a payment was called off before it was sent. */
export const isCalledOff = (error: unknown): boolean =>
  error instanceof ChainError && error.code === 'cancelled' && !isUnsettled(error)
