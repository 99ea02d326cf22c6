import { ChainError } from './chain-error.js'
import { isUnsettled } from './rpc-error.js'

/** How far a payment of several transactions came. */
export interface Interruption {
  /** The ids of the transactions that went out, in order. */
  readonly submitted: readonly string[]
  /** The ids of those that did not, in order; where the answer to the first was lost, that one may have gone out as well. */
  readonly unsubmitted: readonly string[]
  /**
   * Goes on where it stopped and resolves to all ids, those that went out before included. Nothing is sent twice: the
   * first is looked for before it is sent, where its answer was lost. After `signal` nothing more goes out.
   */
  resume(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly string[]>
}

/** A payment of several transactions stopped midway; why is in `cause`. */
export type InterruptedError = ChainError<'interrupted'> & Interruption

export function interrupted(cause: unknown, interruption: Interruption): InterruptedError {
  const { submitted, unsubmitted } = interruption
  const message = `The payment stopped after ${submitted.length} of ${submitted.length + unsubmitted.length} transactions`
  const hint = isUnsettled(cause)
    ? 'Call resume(): it looks for the transaction whose answer was lost before it sends anything.'
    : 'Call resume() for the rest, or leave it: what went out only moved your own coins together.'
  return Object.assign(new ChainError(message, { code: 'interrupted', cause, hint }), interruption)
}

/** Whether an error says that a payment stopped midway, and how to go on. */
export const isInterrupted = (error: unknown): error is InterruptedError =>
  error instanceof ChainError && error.code === 'interrupted' && 'resume' in error
