import type { RejectReason } from '../errors/rpc-error.js'

/** Patterns of rejection messages of kaspad 0.15 to 2.1; the first match decides. */
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

/** The reason of a rejection, from the message of the node. */
export function rejectReasonOf(message: string): RejectReason {
  return REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
}
