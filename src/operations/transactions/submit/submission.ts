import { ChainRpcError, type ChainRpcErrorCode } from '../../../errors/rpc-error.js'
import type { Transaction } from '../../../model/transaction.js'
import type { TransactionDependencies } from '../dependencies.js'
import type { Deliver } from './deliver.js'
import { heedSignal } from './heed-signal.js'
import { wasReceived } from './lookup.js'
import { withReason } from './rejection.js'

/** Where a transaction stands on its way to the node: `lost` where it may have arrived, but the answer has not. */
type Submission =
  | { readonly status: 'waiting' }
  | { readonly status: 'under-way'; readonly result: Promise<string> }
  | { readonly status: 'lost' }

export type Submit = (transaction: Transaction, signal?: AbortSignal) => Promise<string>

/** After these the request may have reached the node; after all others it has not, or the node has said no. */
const LOST: readonly ChainRpcErrorCode[] = ['timeout', 'connection-lost', 'malformed', 'cancelled', 'superseded']

export type SubmissionWorld = Pick<TransactionDependencies, 'call' | 'whenConnected' | 'pause'> & {
  readonly deliver: Deliver
  /** The chain's head from before anything of this plan was sent; undefined where the node did not say. */
  readonly mark: () => Promise<string | undefined>
}

/**
 * Sends a transaction once, however often it is asked to: a call while it is under way or through gets the same answer,
 * a call after a refusal sends anew, and a call after a lost answer first looks for the id. A signal calls it off before
 * it is sent; what has been sent is followed to its end.
 */
export function createSubmission(id: string, world: SubmissionWorld): Submit {
  let submission: Submission = { status: 'waiting' }

  const run = async (
    transaction: Transaction,
    before: Submission['status'],
    signal: AbortSignal | undefined,
  ): Promise<string> => {
    const mark = await world.mark()
    if (before === 'lost' && (await wasReceived(id, mark, world))) return id
    try {
      heedSignal(signal)
      return await world.deliver(transaction)
    } catch (error) {
      if (isLost(error) && (await wasReceived(id, mark, world))) return id
      submission = { status: isLost(error) ? 'lost' : 'waiting' }
      throw withReason(error)
    }
  }

  return (transaction, signal) => {
    if (submission.status === 'under-way') return submission.result
    const result = run(transaction, submission.status, signal)
    submission = { status: 'under-way', result }
    return result
  }
}

const isLost = (error: unknown): boolean => error instanceof ChainRpcError && LOST.includes(error.code)

/** Whether the network may have the transaction in spite of the error: its answer was lost, or it was there before. */
export const mayHaveArrived = (error: unknown): boolean =>
  isLost(error) || (error instanceof ChainRpcError && error.reason === 'duplicate')
