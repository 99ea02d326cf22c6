import { ChainError } from '../../../errors/chain-error.js'
import { outcomeOf } from '../../../errors/with-outcome.js'

/** Throws `ChainError` (`aborted`) where the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBefore(signal)
}

/**
 * The result of `work`; rejects with `ChainError` (`aborted`) as soon as the signal aborts, whatever `work` does then. Work
 * does not begin where it is aborted already.
 */
export async function abortable<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  if (signal === undefined) return work()
  throwIfAborted(signal)
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortedBefore(signal))
    signal.addEventListener('abort', abort)
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

const abortedBefore = ({ reason }: AbortSignal): ChainError =>
  new ChainError('The payment was aborted before it was sent', {
    code: 'aborted',
    cause: reason,
    hint: 'Unsent transactions are not submitted, and their UTXOs are released.',
  })

/** Whether a payment was aborted before it was sent. */
export const isAborted = (error: unknown): boolean =>
  error instanceof ChainError && error.code === 'aborted' && outcomeOf(error) !== 'unknown'
