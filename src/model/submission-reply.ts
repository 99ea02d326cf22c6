import type { RejectReason } from '../errors/rpc-error.js'

/**
 * What a node's reply to a submission shows. None of them proves that the transaction will be accepted, or never will
 * be.
 * - `in-mempool`: this node has it.
 * - `was-in-block`: a block contained it within the last 1,200 DAA scores; that block may have been lost in a reorg.
 * - `no-target`: the transaction that it replaces is not in this mempool.
 * - `refused`: this node did not take it now; another one may have it.
 */
export type ReplyMeaning = 'in-mempool' | 'was-in-block' | 'no-target' | 'refused'

/** A node's reply to a submission that it did not take. */
export interface SubmissionReply {
  readonly meaning: ReplyMeaning
  readonly reason: RejectReason
}

/**
 * How a relayed transaction became known: taken now, found in the mempool, or found accepted by the node's current
 * chain, which a reorg may change.
 */
export type SubmissionKnown = 'new' | 'mempool' | 'accepted'

/** Messages of kaspad 0.15 to 2.1, also as indexers and wallets pass them on; the first match decides. */
const REPLIES: readonly (readonly [RegExp, RejectReason, ReplyMeaning?])[] = [
  [/already in the mempool/, 'duplicate', 'in-mempool'],
  [/already accepted/, 'duplicate', 'was-in-block'],
  [/already in the orphan pool/, 'duplicate'],
  [/found no double spending transaction/, 'other', 'no-target'],
  [/already spent by transaction|is double spending|more than one double spending/, 'double-spend'],
  [/is an orphan|missing from current utxo context/, 'orphan'],
  [/immature UTXO/, 'immature-coinbase'],
  [/mass.* is larger than max allowed size|mass .* is incomputable/, 'mass-exceeded'],
  [
    /under the required amount of|fee rate .* is not greater|full with transactions with higher priority/,
    'fee-too-low',
  ],
  [/failed to verify|sig op count is/, 'invalid-signature'],
]

/** Parses the message of a node that did not take a transaction. */
export function parseReply(message: string): SubmissionReply {
  const [, reason = 'other', meaning = 'refused'] = REPLIES.find(([pattern]) => pattern.test(message)) ?? []
  return { reason, meaning }
}

/** What helps the same signed transaction after a refusal, by its reason. */
const REMEDIES: Readonly<Record<RejectReason, string>> = {
  duplicate: 'The node keeps it as an orphan: it lacks one of its inputs.',
  'double-spend': 'Another transaction in this mempool spends the same UTXO; either may be accepted.',
  orphan:
    'This node lacks one of its inputs: it may be behind, the UTXO may be spent, or the chain has the transaction.',
  'immature-coinbase': 'Mining rewards mature after a DAA score of 1000: submit it again then.',
  'mass-exceeded': 'Nodes do not relay a transaction of this mass.',
  'fee-too-low': 'To pay more, replace it with "replaces": that spends the same inputs.',
  'invalid-signature': 'Sign it with the keys of the addresses that it spends from.',
  other: 'The message of the node is in cause.message.',
}

/** The hint of a refusal by a node. */
export const refusalHint = (reason: RejectReason): string => unknownOutcomeHint(REMEDIES[reason])

/** The hint of a transaction that was refused before it was sent. */
export const UNSENT_HINT = 'Every node refuses it, so it was not sent.'

/** The hint of every submission with an unknown outcome. */
export const UNKNOWN_OUTCOME_HINT =
  'The network may have the transaction: follow transactionId, or submit the same signed transaction again. Never plan a new payment in its place.'

/** In place of `UNSENT_HINT` where an earlier call or process may have sent it. */
const NOT_SENT_AGAIN_HINT = 'Every node refuses it, so it was not sent again.'

/**
 * The hint of an error with an unknown outcome: a remedy of the call never stands alone, because the network may have
 * the transaction.
 */
export function unknownOutcomeHint(remedy = ''): string {
  if (remedy.includes(UNKNOWN_OUTCOME_HINT)) return remedy
  const before = remedy === UNSENT_HINT ? NOT_SENT_AGAIN_HINT : remedy
  return before === '' ? UNKNOWN_OUTCOME_HINT : `${before} ${UNKNOWN_OUTCOME_HINT}`
}

/** The hint of a new plan that the network already has. */
export const DUPLICATE_HINT =
  'The network already has this payment: it was made once, by this call or by another tab, device or process. Do not pay again; follow transactionId.'
