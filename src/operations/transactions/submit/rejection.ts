import { ChainRpcError, type RejectReason } from '../../../errors/rpc-error.js'

/** What nodes say, and what it means; the first line that matches counts. The words are those of releases 0.15 to 2.1. */
const REASONS: readonly (readonly [RegExp, RejectReason])[] = [
  [/already in the mempool|already accepted|already in the orphan pool/, 'duplicate'],
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

const HINTS: Readonly<Record<RejectReason, string>> = {
  duplicate: 'The network has it already: follow it by its id.',
  'double-spend': 'Another payment under way spends the same coin: wait for it, or replace it by a higher fee.',
  orphan: 'One of the coins is not there, or is spent: read the entries again and build the payment anew.',
  'immature-coinbase': 'Mining rewards take 1000 of DAA score to ripen: wait, or pay from other coins.',
  'mass-exceeded': 'Pay larger amounts, or in several transactions.',
  'fee-too-low': 'Pay more: give a higher feeRate or priorityFee.',
  'invalid-signature': 'Sign with the keys of the addresses that the transaction spends from.',
  other: 'The words of the node are in cause.message.',
}

/** Why a node refused a transaction, read from its words. */
export function rejectReasonOf(words: string): RejectReason {
  return REASONS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
}

/** A node's refusal with its reason; every other error as it is. */
export function withReason(error: unknown): unknown {
  if (!(error instanceof ChainRpcError) || error.code !== 'remote') return error
  const reason = rejectReasonOf(error.cause instanceof Error ? error.cause.message : '')
  return new ChainRpcError(error.method, error.cause, { code: 'remote', reason, hint: HINTS[reason] })
}
