import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { parseReply, type ReplyMeaning } from '../../model/submission-reply.js'
import type { Transaction } from '../../model/transaction.js'
import type { Call, CallOptions } from '../queries/call.js'
import { refusal } from './unknown-outcome.js'

/**
 * How a node replied a submission.
 * - `taken`: it took the transaction; `reported` is the id in its reply.
 * - `refused`: it returned an error, which may be a lie; `meaning` is what its words show.
 * - `no-reply`: it may have got the transaction. `not-sent`: it has not.
 */
export type NodeReply =
  | { readonly type: 'taken'; readonly reported: string }
  | { readonly type: 'refused'; readonly meaning: ReplyMeaning; readonly error: ChainRpcError }
  | { readonly type: 'no-reply' | 'not-sent'; readonly error: unknown }

export interface Submission {
  readonly transaction: Transaction
  /** Whether it replaces a transaction in the mempool (RBF). */
  readonly isReplacement: boolean
  readonly allowOrphan?: boolean | undefined
}

/** Hands a transaction to the node. Resolves also where that fails; a failure that is no `ChainError` rejects. */
export type SubmitToNode = (transaction: Transaction) => Promise<NodeReply>

/**
 * Submits once; a replacement whose target is not in this mempool once more, as a plain transaction with the same signature:
 * the target was accepted, or this node never had it.
 */
export async function submitToNode(submission: Submission, call: Call, options?: CallOptions): Promise<NodeReply> {
  const reply = await submitOnce(submission, call, options)
  const hasNoTarget = reply.type === 'refused' && reply.meaning === 'no-target'
  return hasNoTarget && submission.isReplacement
    ? submitOnce({ ...submission, isReplacement: false }, call, options)
    : reply
}

async function submitOnce(
  { transaction, isReplacement, allowOrphan = false }: Submission,
  call: Call,
  options: CallOptions | undefined,
): Promise<NodeReply> {
  const method = isReplacement ? 'submitTransactionReplacement' : 'submitTransaction'
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
    return { type: 'refused', meaning, error: refusal(method, error, reason) }
  }
}

/** After these nothing was sent; after every other failure the node may have the transaction. */
const NOT_SENT: readonly string[] = ['not-connected', 'invalid-argument']

const messageOf = ({ cause }: ChainRpcError): string => (cause instanceof Error ? cause.message : '')
