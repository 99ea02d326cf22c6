import { ChainRpcError, isUnsettled } from '../../../errors/rpc-error.js'
import type { Transaction } from '../../../model/transaction.js'
import type { TransactionDependencies } from '../dependencies.js'
import type { Deliver } from './deliver.js'
import { heedSignal } from './heed-signal.js'
import { seek } from './lookup.js'
import type { Mark } from './mark.js'
import { withReason } from './rejection.js'
import { isDuplicate, isLost, isRefusal, provesAbsence, toUnsettled } from './unsettled.js'

/** Where a transaction stands on its way to the node: `lost` where it may have arrived, but no answer says so. */
type Submission =
  | { readonly status: 'waiting' }
  | { readonly status: 'under-way'; readonly result: Promise<string> }
  /** `mark` is the chain's head from before it was first sent. */
  | { readonly status: 'lost'; readonly mark: string }

export type Submit = (transaction: Transaction, signal?: AbortSignal) => Promise<string>

export type SubmissionWorld = Pick<TransactionDependencies, 'call' | 'whenConnected' | 'pause' | 'rejected'> & {
  readonly deliver: Deliver
  readonly mark: Mark
}

/**
 * Sends a transaction once, however often it is asked to: a call while it is under way or through gets the same answer,
 * a call after a refusal sends anew, and a call after a lost answer first looks for the id. A signal calls it off before
 * it is sent; what has been sent is followed to its end.
 */
export function createSubmission(id: string, world: SubmissionWorld): Submit {
  let submission: Submission = { status: 'waiting' }

  /** Hands it over. Where the answer is lost, or the node has it already, the error says so by the id. */
  const deliver = async (transaction: Transaction, mark: string): Promise<string> => {
    try {
      return await world.deliver(transaction)
    } catch (error) {
      if (isLost(error) && (await seek(id, mark, world)) === 'there') return id
      const told = withReason(error)
      throw isLost(told) || isDuplicate(told) ? toUnsettled(told, id) : told
    }
  }

  /** After a lost answer. What the network has is not sent again; only a refusal proves that it has it not. */
  const deliverAgain = async (transaction: Transaction, mark: string, signal?: AbortSignal) => {
    const finding = await seek(id, mark, world)
    if (finding === 'there') return id
    if (signal?.aborted === true) throw toUnsettled(calledOffTooLate(signal), id)
    try {
      return await deliver(transaction, mark)
    } catch (error) {
      if (isDuplicate(error)) return id
      throw provesAbsence(error, finding) ? error : toUnsettled(error, id)
    }
  }

  const run = async (transaction: Transaction, before: Submission, signal?: AbortSignal): Promise<string> => {
    const mark = before.status === 'lost' ? before.mark : await world.mark()
    try {
      if (before.status === 'lost') return await deliverAgain(transaction, mark, signal)
      heedSignal(signal)
      return await deliver(transaction, mark)
    } catch (error) {
      submission = isUnsettled(error) ? { status: 'lost', mark } : { status: 'waiting' }
      if (submission.status === 'waiting' && isRefusal(error)) world.rejected(id, error)
      throw error
    }
  }

  return (transaction, signal) => {
    if (submission.status === 'under-way') return submission.result
    const result = run(transaction, submission, signal)
    submission = { status: 'under-way', result }
    return result
  }
}

const calledOffTooLate = ({ reason }: AbortSignal): ChainRpcError =>
  new ChainRpcError('submitTransaction', reason, { code: 'cancelled' })
