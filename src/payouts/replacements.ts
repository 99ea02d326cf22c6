import type { ChainLogger } from '../platform/port.js'
import { toOutpointKey, type UtxoEntry } from '../model/utxo.js'
import { feerateOf } from '../operations/transactions/plan/fee.js'
import { outpointsOf, paidBy, updatePayout } from '../streams/payouts/group-changes.js'
import type {
  AttemptKind,
  JournalAccess,
  JournalChange,
  PayoutAttempt,
  PayoutGroup,
  PayoutRecord,
} from '../streams/payouts/journal.js'
import { planOnce, signPlan, spentEntries, toOutput, type Obstacle, type PlanContext } from './plan-payment.js'
import { massOf } from './queue-node.js'

/** A further attempt of a group: what it pays, and what it must spend. */
export interface Replacement {
  readonly kind: Exclude<AttemptKind, 'pay'>
  readonly replaces: PayoutAttempt
  readonly payouts: readonly PayoutRecord[]
  /** Spent whatever else is: every older attempt shares one of them, or depends on what they cannot stand beside. */
  readonly fixed: readonly UtxoEntry[]
  /** Sompi per gram; the least that suffices where it is undefined. */
  readonly feeRate?: number | undefined
}

/** The replacement that a group needs now; undefined where it needs none. Pure. */
export function nextReplacement(
  group: PayoutGroup,
  free: readonly UtxoEntry[],
  { relayedFor, bumpAfter, maxBumpRate }: { relayedFor: number; bumpAfter: number; maxBumpRate: number },
): Replacement | undefined {
  const newest = group.attempts.at(-1)
  if (newest === undefined || group.attempts.some(({ acceptedBlueScore }) => acceptedBlueScore !== null))
    return undefined
  if (group.state === 'excluded') return payAgain(newest, group, free)
  if (group.state !== 'open') return undefined
  const replaces = replaceable(newest, group)
  const payouts = paidBy(replaces, group).filter(({ progress }) => progress.state !== 'cancelling')
  const by = (kind: 'bump' | 'cancel', feeRate?: number): Replacement => ({
    ...{ kind, replaces, payouts, feeRate, fixed: spentEntries(replaces) },
  })
  // also without what was released before a reorg has opened the group again: another group pays it
  if (payouts.length < replaces.pays.length) return by('cancel')
  if (group.bumpRate !== null) return by('bump', group.bumpRate)
  const isMissing = group.conflicts.some((conflict) => conflict.isMissing === true)
  if (relayedFor < bumpAfter || payouts.length === 0 || isMissing) return undefined
  const current = rateOf(replaces)
  const rate = Math.min(maxBumpRate, 2 * current)
  return rate > current ? by('bump', rate) : undefined
}

/**
 * The newest attempt that no conflict excludes. Where the group has none, the newest one that spends what the first one
 * does: one that paid again may spend the change of what a reorg has undone. It can stand beside none of them.
 */
function replaceable(newest: PayoutAttempt, { attempts, conflicts }: PayoutGroup): PayoutAttempt {
  const [first] = attempts
  if (first === undefined || first === newest) return newest
  if (conflicts.length > 0) {
    const spentByOthers = new Set(conflicts.map(({ outpoint }) => outpoint))
    const isPossible = (attempt: PayoutAttempt): boolean =>
      outpointsOf(attempt).every((outpoint) => !spentByOthers.has(outpoint))
    return attempts.filter(isPossible).at(-1) ?? newest
  }
  const inputs = outpointsOf(first)
  const spendsAll = (attempt: PayoutAttempt): boolean => {
    const spent = new Set(outpointsOf(attempt))
    return inputs.every((outpoint) => spent.has(outpoint))
  }
  return attempts.filter(spendsAll).at(-1) ?? newest
}

/** Sompi per gram. */
export const rateOf = ({ fee, signed }: PayoutAttempt): number => feerateOf({ fee, mass: massOf(signed) })

/**
 * An excluded group may be paid again by a transaction that cannot stand beside the old attempts on any branch: one
 * that spends what all of them spend, or an output of the transaction that excludes all of them.
 */
function payAgain(replaces: PayoutAttempt, group: PayoutGroup, free: readonly UtxoEntry[]): Replacement | undefined {
  const payouts = group.payouts.filter(({ progress }) => progress.state === 'conflicting' && !progress.isCancelling)
  if (payouts.length === 0) return undefined
  const fixed = sharedInputs(group)
  const inputs = fixed.length > 0 ? fixed : changeOfConflict(group, free).slice(0, 1)
  return inputs.length === 0 ? undefined : { kind: 'again', replaces, payouts, fixed: inputs }
}

/** Inputs that every attempt spends and no other transaction has spent. */
export function sharedInputs({ attempts, conflicts }: PayoutGroup): readonly UtxoEntry[] {
  const [first, ...others] = attempts
  if (first === undefined) return []
  const spent = new Set(conflicts.map(({ outpoint }) => outpoint))
  const sets = others.map((attempt) => new Set(outpointsOf(attempt)))
  return spentEntries(first).filter(({ outpoint }) => {
    const key = toOutpointKey(outpoint)
    return !spent.has(key) && sets.every((set) => set.has(key))
  })
}

/** Free outputs of a transaction that spends an input of every attempt. */
function changeOfConflict({ attempts, conflicts }: PayoutGroup, free: readonly UtxoEntry[]): readonly UtxoEntry[] {
  const excludesAll = (transactionId: string): boolean => {
    const spent = conflicts
      .filter((each) => each.transactionId === transactionId && each.isMissing !== true)
      .map(({ outpoint }) => outpoint)
    return attempts.every((attempt) => outpointsOf(attempt).some((outpoint) => spent.includes(outpoint)))
  }
  const conflicting = new Set(conflicts.map(({ transactionId }) => transactionId).filter(excludesAll))
  return free.filter(({ outpoint }) => conflicting.has(outpoint.transactionId))
}

/** A stored attempt of the group is not what was signed: what it spends proves nothing. */
export interface Unverified {
  readonly kind: 'unverified'
  readonly error: unknown
}

/** Checks all attempts of a group as they were signed: payouts that were released since are read from the journal. */
async function verifyAttempts(
  { attempts, payouts }: PayoutGroup,
  { node, journal }: ReplacementContext,
): Promise<Unverified | undefined> {
  const known = new Set(payouts.map(({ id }) => id))
  const released = [...new Set(attempts.flatMap(({ pays }) => pays))].filter((id) => !known.has(id))
  const signed = released.length === 0 ? payouts : [...payouts, ...(await journal.find(released))]
  try {
    for (const attempt of attempts) await node.verify(attempt, { payouts: signed })
    return undefined
  } catch (error) {
    return { kind: 'unverified', error }
  }
}

/** The rate that was requested is none above that of what it would replace: a replacement since may have paid it. */
export interface RateTooLow {
  readonly kind: 'rate-too-low'
  readonly feeRate: number
}

export interface ReplacementContext extends PlanContext {
  readonly journal: Pick<JournalAccess, 'find'>
}

/** Plans and signs a replacement: from the same inputs alone, else with further ones. */
export async function signReplacement(
  { kind, replaces, payouts, fixed, feeRate }: Replacement,
  group: PayoutGroup,
  free: readonly UtxoEntry[],
  context: ReplacementContext,
): Promise<PayoutAttempt | Obstacle | Unverified | RateTooLow> {
  if (feeRate !== undefined && feeRate <= rateOf(replaces)) return { kind: 'rate-too-low', feeRate }
  const unverified = await verifyAttempts(group, context)
  if (unverified !== undefined) return unverified
  const outputs = payouts.map(toOutput)
  const replacement = { replaces: replaces.transactionId, feeRate }
  const others = free.filter(
    ({ outpoint }) => !fixed.some((entry) => toOutpointKey(entry.outpoint) === toOutpointKey(outpoint)),
  )
  const plan = (entries: readonly UtxoEntry[]) =>
    context.node.replacing(replaces, fixed, () => planOnce(outputs, entries, context, replacement))
  const alone = await plan([])
  const planned = alone.kind === 'waiting' && alone.reason === 'funds' ? await plan(others) : alone
  if (planned.kind !== 'planned') return planned
  return signPlan(planned, { pays: payouts.map(({ id }) => id), kind, number: group.attempts.length }, context)
}

/** Stores a further attempt, which opens an excluded group again. */
export function storeReplacement(attempt: PayoutAttempt, group: PayoutGroup): JournalChange {
  const { id, version, conflicts } = group
  const claimed = new Set(group.attempts.flatMap(outpointsOf))
  const isPaid = new Set(attempt.pays)
  const { transactionId } = attempt
  return {
    newAttempt: { group: id, attempt, claims: outpointsOf(attempt).filter((outpoint) => !claimed.has(outpoint)) },
    groups: [{ id, version, state: 'open', bumpRate: null, conflicts }],
    payouts: group.payouts.flatMap((payout) => {
      if (!isPaid.has(payout.id)) return []
      if (attempt.kind === 'again') return updatePayout(payout, [{ type: 'stored', transactionId }]) ?? []
      return { ...payout, events: [{ type: 'bumped' as const, transactionId }] }
    }),
  }
}

/** A replacement that was requested and cannot be made is not tried again; a cancellation is. */
export function dropBump({ id, version, state, conflicts }: PayoutGroup): JournalChange {
  return { groups: [{ id, version, state, bumpRate: null, conflicts }] }
}

/** Logs why a replacement was not signed. */
export function logObstacle(
  logger: ChainLogger,
  { id }: PayoutGroup,
  obstacle: Obstacle | Unverified | RateTooLow,
): void {
  logger[obstacle.kind === 'unverified' ? 'error' : 'warn']('A payment could not be replaced', {
    group: id,
    ...obstacle,
  })
}
