import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import { outcomeOf, withOutcome } from '../../../errors/with-outcome.js'
import { NETWORKS } from '../../../model/network.js'
import type { SentIds } from '../../../model/bounded-collections.js'
import type { SubmissionKnown } from '../../../model/submission-reply.js'
import type { Transaction } from '../../../model/transaction.js'
import { findTransaction, knownByReply, lookUpTransaction } from '../../submission/find-transaction.js'
import {
  type NodeReply,
  type SubmitToNode,
  duplicateOf,
  isRefusal,
  toUnknownOutcome,
} from '../../submission/submit-to-node.js'
import type { TransactionDependencies } from '../transaction-operations.js'
import { type LookupStart, type MadePayments, throwIfAborted } from './before-submission.js'

/**
 * - `unsent`: not handed to a node by this submission; `sentIds` has what another one has sent.
 * - `sent`: it was, or may have been, in this process or, where it was restored, an earlier one; also after it was
 *   relayed.
 */
type SubmissionState =
  | { readonly status: 'unsent' }
  | { readonly status: 'in-flight'; readonly result: Promise<SubmissionKnown> }
  | Sent

/** `lookupStart` is the sink from before it was first sent, if it is known. */
type Sent = { readonly status: 'sent'; readonly lookupStart: string | undefined }

/** Resolves once it is relayed. Rejects with `ChainError` with an `outcome`. */
export type Submit = (transaction: Transaction, signal?: AbortSignal) => Promise<SubmissionKnown>

export type SubmissionDependencies = Pick<
  TransactionDependencies,
  'call' | 'network' | 'whenConnected' | 'pause' | 'now' | 'onRejected' | 'logger'
> & {
  readonly submitToNode: SubmitToNode
  readonly sentIds: Pick<SentIds, 'has'>
  readonly lookupStart: LookupStart
  readonly made: MadePayments
}

/**
 * Submits a transaction: calls while it is in flight get the same result, any other call after the first one looks it
 * up and sends the same bytes again, also after it was relayed, because a node that restarts loses its mempool. One of
 * an earlier process (`restored`) may have been sent already. A signal aborts it before it is sent, not after.
 */
export function createSubmission(
  id: string,
  dependencies: SubmissionDependencies,
  restored?: { readonly lookupStart: string | undefined },
): Submit {
  const { call, submitToNode, sentIds, lookupStart, made, logger } = dependencies
  let state: SubmissionState = restored === undefined ? { status: 'unsent' } : { status: 'sent', ...restored }

  const find = (transaction: Transaction, start: string | undefined) => {
    const prefix = NETWORKS[dependencies.network()].addressPrefix
    return findTransaction({ id, transaction, prefix, lookupStart: start }, call)
  }

  /**
   * Hands it to the node. Its own id counts: the reply of a hostile node may have another. `isNew`: a plan that was
   * never sent, so that one which the network already has is another payment.
   */
  const hand = async (transaction: Transaction, start: string, isNew: boolean): Promise<SubmissionKnown> => {
    const reply = await submitToNode(transaction)
    if (reply.type === 'not-sent' || reply.type === 'invalid') throw reply.error
    if (reply.type === 'taken' && reply.reported !== id)
      logger.warn(OTHER_ID, { transactionId: id, reported: reply.reported })
    if (isNew && isKnownAlready(reply)) throw duplicateOf(reply.error, id)
    const known =
      reply.type === 'no-reply'
        ? await lookUpTransaction(id, start, dependencies)
        : await knownByReply(reply, () => find(transaction, start))
    if (known !== undefined) return known
    throw toUnknownOutcome('error' in reply ? reply.error : undefined, id)
  }

  const submitNew = async (transaction: Transaction, signal?: AbortSignal): Promise<SubmissionKnown> => {
    const start = await lookupStart.fetch()
    throwIfAborted(signal)
    const known = await hand(transaction, start, true)
    if (!made.add(id)) throw madeBefore(id) // sent again all the same: the node may not have it
    return known
  }

  /** One lookup before it is sent again, which is safe: the inputs of a payment can be spent only once. */
  const submitAgain = async (transaction: Transaction, before: Sent, signal?: AbortSignal) => {
    const found = await find(transaction, before.lookupStart)
    if (found !== undefined) return found
    if (signal?.aborted === true) throw abortedAfterSending(signal)
    return hand(transaction, before.lookupStart ?? (await lookupStart.fetch()), false)
  }

  const run = async (
    transaction: Transaction,
    before: Exclude<SubmissionState, { status: 'in-flight' }>,
    signal?: AbortSignal,
  ): Promise<SubmissionKnown> => {
    const after = (): Sent => (before.status === 'sent' ? before : { status: 'sent', lookupStart: lookupStart.known() })
    try {
      const known = await (before.status === 'unsent'
        ? submitNew(transaction, signal)
        : submitAgain(transaction, before, signal))
      made.add(id)
      state = after()
      return known
    } catch (error) {
      const isUnknown = outcomeOf(error) === 'unknown'
      const isUnsent = before.status === 'unsent' && error instanceof ChainError && !isUnknown && !sentIds.has(id)
      state = isUnsent ? before : after()
      if (isUnsent) throw withOutcome(error, 'unsent', id)
      made.addUnknown(id)
      const isOfAnother = before.status === 'unsent' && isRefusal(error) && error.reason === 'duplicate'
      if (isRefusal(error) && !isOfAnother) dependencies.onRejected(id, error)
      throw isUnknown ? error : toUnknownOutcome(error, id)
    }
  }

  return (transaction, signal) => {
    if (state.status === 'in-flight') return state.result
    const result = run(transaction, state, signal)
    state = { status: 'in-flight', result }
    return result
  }
}

/** Whether the node had the transaction, or a block did, before this submission. */
const isKnownAlready = (reply: NodeReply): reply is Extract<NodeReply, { type: 'refused' }> =>
  reply.type === 'refused' && (reply.meaning === 'in-mempool' || reply.meaning === 'was-in-block')

/** The error of a new plan that is a payment of this engine already. */
const madeBefore = (id: string): ChainRpcError =>
  duplicateOf(
    new ChainRpcError('submitTransaction', new Error('This engine has made the same payment, or may have')),
    id,
  )

const OTHER_ID = 'The node replied to a submission with the id of another transaction'

const abortedAfterSending = ({ reason }: AbortSignal): ChainRpcError =>
  new ChainRpcError('submitTransaction', reason, { code: 'aborted' })
