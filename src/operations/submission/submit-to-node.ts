import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError, type ChainRpcErrorCode, type RejectReason } from '../../errors/rpc-error.js'
import type { SentIds } from '../../model/bounded-collections.js'
import {
  parseReply,
  type ReplyMeaning,
  DUPLICATE_HINT,
  UNSENT_HINT,
  refusalHint,
  unknownOutcomeHint,
} from '../../model/submission-reply.js'
import { relayViolation, type RelayCandidate } from '../../model/transaction-rules/relay.js'
import type { Transaction } from '../../model/transaction.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { Call } from '../queries/call.js'

/**
 * How a node replied a submission.
 * - `taken`: it took the transaction; `reported` is the id in its reply.
 * - `refused`: it returned an error, which may be a lie; `meaning` is what its words show.
 * - `no-reply`: it may have got the transaction. `not-sent`: it has not.
 * - `invalid`: it has not, because every node would refuse it.
 */
export type NodeReply =
  | { readonly type: 'taken'; readonly reported: string }
  | { readonly type: 'refused'; readonly meaning: ReplyMeaning; readonly error: ChainRpcError }
  | { readonly type: 'no-reply' | 'not-sent'; readonly error: unknown }
  | { readonly type: 'invalid'; readonly error: ChainRpcError }

interface Submission extends RelayCandidate {
  /** Whether it replaces a transaction in the mempool (RBF). */
  readonly isReplacement: boolean
  readonly allowOrphan?: boolean | undefined
}

interface SubmissionGate {
  readonly call: Call
  readonly sentIds: SentIds
}

/** Hands a transaction to the node. Resolves also where that fails; a failure that is no `ChainError` rejects. */
export type SubmitToNode = (transaction: Transaction) => Promise<NodeReply>

/**
 * The one way of a transaction to a node, of `send`, `submit`, `restore` and the queries. Checks what every node
 * checks, notes the id, and submits once; a replacement whose target is not in this mempool once more, as a plain
 * transaction with the same signature: the target was accepted, or this node never had it.
 */
export async function submitToNode(
  submission: Submission,
  { call, sentIds }: SubmissionGate,
  options?: AbortOptions,
): Promise<NodeReply> {
  const violation = relayViolation(submission)
  if (violation !== undefined) return { type: 'invalid', error: refusalByAll(methodOf(submission), violation) }
  return sentIds.track(
    submission.id,
    () => submitWithFallback(submission, call, options),
    (reply) => reply.type !== 'not-sent',
  )
}

async function submitWithFallback(submission: Submission, call: Call, options?: AbortOptions): Promise<NodeReply> {
  const reply = await submitOnce(submission, call, options)
  const hasNoTarget = reply.type === 'refused' && reply.meaning === 'no-target'
  if (!hasNoTarget || !submission.isReplacement) return reply
  const again = await submitOnce({ ...submission, isReplacement: false }, call, options)
  return again.type === 'not-sent' ? reply : again // the first one was sent
}

async function submitOnce(submission: Submission, call: Call, options: AbortOptions | undefined): Promise<NodeReply> {
  const { transaction, isReplacement, allowOrphan = false } = submission
  try {
    const { transactionId } = isReplacement
      ? await call('submitTransactionReplacement', { transaction }, options)
      : await call('submitTransaction', { transaction, allowOrphan }, options)
    return { type: 'taken', reported: transactionId }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (NOT_SENT.includes((error as ChainError).code)) return { type: 'not-sent', error }
    if (!(error instanceof ChainRpcError) || error.code !== 'remote') return { type: 'no-reply', error }
    const { reason, meaning } = parseReply(messageOf(error))
    return { type: 'refused', meaning, error: refusal(methodOf(submission), error, reason) }
  }
}

const methodOf = ({ isReplacement }: Submission): string =>
  isReplacement ? 'submitTransactionReplacement' : 'submitTransaction'

/** After these nothing was sent; after every other failure the node may have the transaction. */
const NOT_SENT: readonly string[] = ['not-connected', 'invalid-argument']

const messageOf = ({ cause }: ChainRpcError): string => (cause instanceof Error ? cause.message : '')

/** Whether a query may be repeated because no readable reply came. */
export const hasNoReply = (error: unknown): boolean => error instanceof ChainRpcError && NO_REPLY.includes(error.code)

const NO_REPLY: readonly ChainRpcErrorCode[] = ['timeout', 'connection-lost', 'malformed']

/** A refusal by the node, with its reason. */
const refusal = (method: string, { cause }: ChainRpcError, reason: RejectReason): ChainRpcError =>
  new ChainRpcError(method, cause, { code: 'remote', reason, hint: refusalHint(reason) })

/** A refusal by every node, found before anything was sent. */
const refusalByAll = (method: string, violation: string): ChainRpcError => {
  const { reason } = parseReply(violation)
  const cause = new Error(violation)
  return new ChainRpcError(method, cause, {
    code: 'invalid-argument',
    argument: 'transaction',
    reason,
    hint: UNSENT_HINT,
  })
}

/** Whether the node refused the transaction; errors of other calls have no `reason`. */
export const isRefusal = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && error.code === 'remote' && error.reason !== undefined

/**
 * The same error with an unknown outcome and the transaction's id. The hint of a call that got no reply does not hold
 * then.
 */
export function toUnknownOutcome(error: unknown, transactionId: string): ChainRpcError {
  const unknown = { outcome: 'unknown', transactionId } as const
  if (!(error instanceof ChainRpcError))
    return new ChainRpcError('submitTransaction', error, { ...unknown, hint: unknownOutcomeHint() })
  const { method, cause, code, reason, argument } = error
  const hint = unknownOutcomeHint(reason === undefined ? undefined : error.hint)
  return new ChainRpcError(method, cause, { code, reason, argument, hint, ...unknown })
}

/** The error of a new plan that the network already has: by this call, or by another tab, device or process. */
export const duplicateOf = ({ method, cause }: ChainRpcError, transactionId: string): ChainRpcError =>
  new ChainRpcError(method, cause, {
    code: 'remote',
    reason: 'duplicate',
    outcome: 'unknown',
    transactionId,
    hint: DUPLICATE_HINT,
  })
