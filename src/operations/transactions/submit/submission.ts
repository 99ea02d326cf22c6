import { ChainRpcError, hasUnknownOutcome } from '../../../errors/rpc-error.js'
import { NETWORKS } from '../../../model/network.js'
import type { Transaction } from '../../../model/transaction.js'
import type { TransactionDependencies } from '../dependencies.js'
import type { SubmitToNode } from './submit-to-node.js'
import { throwIfAborted } from './throw-if-aborted.js'
import { lookUpTransaction } from './lookup.js'
import type { LookupStart } from './lookup-start.js'
import { findRestored } from './restored-lookup.js'
import { isKnownToNetwork, withReason } from '../../queries/rejection.js'
import { isDuplicate, isRejection, mayHaveArrived, provesAbsence, toUnknownOutcome } from './unknown-outcome.js'

/**
 * `unknown`: the node may have the transaction, but no reply confirms it. `restored`: likewise, of an earlier process, which
 * may not have sent it.
 */
type Submission =
  | { readonly status: 'unsent' }
  | { readonly status: 'in-flight'; readonly result: Promise<string> }
  | { readonly status: 'unknown' }
  | Restored

/** `lookupStart` is the sink from before it was first sent, if it is known. */
type Restored = { readonly status: 'restored'; readonly lookupStart: string | undefined }

export type Submit = (transaction: Transaction, signal?: AbortSignal) => Promise<string>

export type SubmissionDependencies = Pick<
  TransactionDependencies,
  'call' | 'network' | 'whenConnected' | 'pause' | 'now' | 'onRejected' | 'logger'
> & {
  readonly submitToNode: SubmitToNode
  readonly lookupStart: Pick<LookupStart, 'fetch'>
}

/**
 * Sends a transaction once, one of an earlier process (`restored`) after a lookup: calls while it is in flight or after success get the same result, a call after a rejection
 * sends it again, and a call after a lost reply looks up the id first. A signal aborts it before it is sent, not after.
 */
export function createSubmission(
  id: string,
  dependencies: SubmissionDependencies,
  restored?: { readonly lookupStart: string | undefined },
): Submit {
  let submission: Submission = restored === undefined ? { status: 'unsent' } : { status: 'restored', ...restored }

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

  /**
   * One lookup before it is sent, because the inputs of a payment can be spent only once. Whatever fails, the earlier
   * process may have sent it; only a rejection proves that the network lacks it, after a complete lookup.
   */
  const submitRestored = async (transaction: Transaction, { lookupStart }: Restored, signal?: AbortSignal) => {
    try {
      const prefix = NETWORKS[dependencies.network()].addressPrefix
      if (await findRestored({ id, transaction, prefix, lookupStart }, dependencies.call)) return id
      if (signal?.aborted === true) throw abortedAfterSending(signal)
      return await submit(transaction, lookupStart ?? (await dependencies.lookupStart.fetch()))
    } catch (error) {
      if (provesAbsence(error, 'unknown')) throw error
      const isLookedUp = isRejection(error) && lookupStart !== undefined
      const lookup = isLookedUp ? await lookUpTransaction(id, lookupStart, dependencies) : 'unknown'
      if (lookup === 'found') return id
      throw provesAbsence(error, lookup) ? error : toUnknownOutcome(error, id)
    }
  }

  const run = async (transaction: Transaction, before: Submission, signal?: AbortSignal): Promise<string> => {
    if (before.status === 'restored') return submitRestored(transaction, before, signal)
    const lookupStart = await dependencies.lookupStart.fetch()
    if (before.status === 'unknown') return resubmit(transaction, lookupStart, signal)
    throwIfAborted(signal)
    return submit(transaction, lookupStart)
  }

  const settle = async (transaction: Transaction, before: Submission, signal?: AbortSignal): Promise<string> => {
    try {
      return await run(transaction, before, signal)
    } catch (error) {
      if (hasUnknownOutcome(error)) submission = before.status === 'restored' ? before : { status: 'unknown' }
      else submission = { status: 'unsent' }
      if (submission.status === 'unsent' && isRejection(error)) dependencies.onRejected(id, error)
      throw error
    }
  }

  return (transaction, signal) => {
    if (submission.status === 'in-flight') return submission.result
    const result = settle(transaction, submission, signal)
    submission = { status: 'in-flight', result }
    return result
  }
}

const OTHER_ID = 'The node replied to a submission with the id of another transaction'

const abortedAfterSending = ({ reason }: AbortSignal): ChainRpcError =>
  new ChainRpcError('submitTransaction', reason, { code: 'aborted' })
