import { ChainRpcError, hasUnknownOutcome } from '../../../errors/rpc-error.js'
import type { Transaction } from '../../../model/transaction.js'
import type { TransactionDependencies } from '../dependencies.js'
import type { SubmitToNode } from './submit-to-node.js'
import { throwIfAborted } from './throw-if-aborted.js'
import { lookUpTransaction } from './lookup.js'
import type { FetchLookupStart } from './lookup-start.js'
import { isKnownToNetwork, withReason } from '../../queries/rejection.js'
import { isDuplicate, isRejection, mayHaveArrived, provesAbsence, toUnknownOutcome } from './unknown-outcome.js'

/** `unknown`: the node may have the transaction, but no reply confirms it. */
type Submission =
  | { readonly status: 'unsent' }
  | { readonly status: 'in-flight'; readonly result: Promise<string> }
  /** `lookupStart` is the sink from before it was first sent. */
  | { readonly status: 'unknown'; readonly lookupStart: string }

export type Submit = (transaction: Transaction, signal?: AbortSignal) => Promise<string>

export type SubmissionDependencies = Pick<
  TransactionDependencies,
  'call' | 'whenConnected' | 'pause' | 'onRejected' | 'logger'
> & {
  readonly submitToNode: SubmitToNode
  readonly fetchLookupStart: FetchLookupStart
}

/**
 * Sends a transaction once: calls while it is in flight or after success get the same result, a call after a rejection
 * sends it again, and a call after a lost reply looks up the id first. A signal aborts it before it is sent, not after.
 */
export function createSubmission(id: string, dependencies: SubmissionDependencies): Submit {
  let submission: Submission = { status: 'unsent' }

  /**
   * Sends it. Resolves to the own id: the reply of a hostile node may have another. Where the reply is lost, or the
   * transaction is in the orphan pool, the error carries the id.
   */
  const submit = async (transaction: Transaction, lookupStart: string): Promise<string> => {
    try {
      const reported = await dependencies.submitToNode(transaction)
      if (reported !== id) dependencies.logger.warn(OTHER_ID, { transactionId: id, reported })
      return id
    } catch (error) {
      if (mayHaveArrived(error) && (await lookUpTransaction(id, lookupStart, dependencies)) === 'found') return id
      const reported = withReason(error)
      if (isKnownToNetwork(reported)) return id
      throw mayHaveArrived(reported) || isDuplicate(reported) ? toUnknownOutcome(reported, id) : reported
    }
  }

  /** After a lost reply: does not send again what the network has. Only a rejection proves that the network lacks it. */
  const resubmit = async (transaction: Transaction, lookupStart: string, signal?: AbortSignal) => {
    const lookup = await lookUpTransaction(id, lookupStart, dependencies)
    if (lookup === 'found') return id
    if (signal?.aborted === true) throw toUnknownOutcome(abortedAfterSending(signal), id)
    try {
      return await submit(transaction, lookupStart)
    } catch (error) {
      throw provesAbsence(error, lookup) ? error : toUnknownOutcome(error, id)
    }
  }

  const run = async (transaction: Transaction, before: Submission, signal?: AbortSignal): Promise<string> => {
    const lookupStart = before.status === 'unknown' ? before.lookupStart : await dependencies.fetchLookupStart()
    try {
      if (before.status === 'unknown') return await resubmit(transaction, lookupStart, signal)
      throwIfAborted(signal)
      return await submit(transaction, lookupStart)
    } catch (error) {
      submission = hasUnknownOutcome(error) ? { status: 'unknown', lookupStart } : { status: 'unsent' }
      if (submission.status === 'unsent' && isRejection(error)) dependencies.onRejected(id, error)
      throw error
    }
  }

  return (transaction, signal) => {
    if (submission.status === 'in-flight') return submission.result
    const result = run(transaction, submission, signal)
    submission = { status: 'in-flight', result }
    return result
  }
}

const OTHER_ID = 'The node replied to a submission with the id of another transaction'

const abortedAfterSending = ({ reason }: AbortSignal): ChainRpcError =>
  new ChainRpcError('submitTransaction', reason, { code: 'aborted' })
