import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { PayoutAttempt, PayoutGroup } from './journal.js'

/** Change of a payment that is not settled, which a further payment may spend. */
export interface ChainedChange {
  readonly entry: UtxoEntry
  /** How many payments that are not settled it depends on, from 1. */
  readonly depth: number
}

/** The outputs of an attempt that return to the queue, as UTXOs. */
export const changeOf = ({ transactionId, signed, pays }: PayoutAttempt): readonly UtxoEntry[] =>
  signed.outputs.slice(pays.length).map(({ value, scriptPublicKey }, at) => ({
    outpoint: { transactionId, index: pays.length + at },
    amount: BigInt(value),
    scriptPublicKey,
    blockDaaScore: 0n,
    isCoinbase: false,
  }))

/** The open groups that a group depends on: it spends their change. */
export function parentsOf(
  { attempts }: PayoutGroup,
  groupOf: (transactionId: string) => PayoutGroup | undefined,
): readonly PayoutGroup[] {
  const parents = attempts.flatMap(({ signed }) =>
    signed.inputs.flatMap(({ previousOutpoint }) => groupOf(previousOutpoint.transactionId) ?? []),
  )
  return [...new Set(parents)].filter(({ state }) => state === 'open')
}

/** Whether another group that is not settled spends its change: a replacement would make that one impossible. */
export const hasDescendants = ({ attempts }: PayoutGroup, claims: ReadonlyMap<OutpointKey, string>): boolean =>
  attempts.some((attempt) => changeOf(attempt).some(({ outpoint }) => claims.has(toOutpointKey(outpoint))))

/**
 * The change of open groups that may be spent before it is settled, up to `limit` deep, without what is claimed. Only
 * of payments that a node has, and that no replacement makes impossible.
 */
export function chainableChange(
  groups: readonly PayoutGroup[],
  claims: ReadonlyMap<OutpointKey, string>,
  limit: number,
): readonly ChainedChange[] {
  if (limit === 0) return []
  const byAttempt = new Map(
    groups.flatMap((group) => group.attempts.map(({ transactionId }) => [transactionId, group] as const)),
  )
  const depths = new Map<string, number>()
  const depthOf = (group: PayoutGroup): number => {
    const known = depths.get(group.id)
    if (known !== undefined) return known
    const parents = parentsOf(group, (transactionId) => byAttempt.get(transactionId))
    const depth = 1 + parents.reduce((most, parent) => Math.max(most, depthOf(parent)), 0)
    depths.set(group.id, depth)
    return depth
  }
  return groups.flatMap((group) => {
    const [attempt] = group.attempts
    if (attempt === undefined || !isFinal(group) || depthOf(group) > limit) return []
    return changeOf(attempt)
      .filter(({ outpoint }) => !claims.has(toOutpointKey(outpoint)))
      .map((entry) => ({ entry, depth: depthOf(group) }))
  })
}

/** Whether its one attempt is at a node or on the chain, and no other one is wanted. */
function isFinal({ state, attempts, bumpRate, conflicts, payouts }: PayoutGroup): boolean {
  const [attempt, ...others] = attempts
  return (
    state === 'open' &&
    attempt !== undefined &&
    others.length + conflicts.length === 0 &&
    bumpRate === null &&
    (attempt.outcome === 'relayed' || attempt.acceptedBlueScore !== null) &&
    payouts.every(({ progress }) => progress.state === 'relayed' || isAcceptedAsWanted(progress))
  )
}

const isAcceptedAsWanted = (progress: PayoutGroup['payouts'][number]['progress']): boolean =>
  progress.state === 'accepted' && !progress.isCancelling
