import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type {
  AttemptUpdate,
  GroupConflict,
  GroupUpdate,
  JournalChange,
  OutpointClaim,
  PayoutAttempt,
  PayoutGroup,
  PayoutRecord,
  PayoutUpdate,
} from './journal.js'
import { type PayoutEvent, reducePayout } from './progress.js'

/** The update of a payout by events, in order; undefined where they change nothing. */
export function updatePayout(payout: PayoutRecord, events: readonly PayoutEvent[]): PayoutUpdate | undefined {
  let { progress } = payout
  const effective: PayoutEvent[] = []
  for (const event of events) {
    const next = reducePayout(progress, event)
    if (next !== progress) effective.push(event)
    progress = next
  }
  const { id, version, group } = payout
  return effective.length === 0 ? undefined : { id, version, group, progress, events: effective }
}

/** Changes of one group, collected while a step of the chain is applied. */
export class GroupChanges {
  readonly #events = new Map<string, PayoutEvent[]>()
  #attempts: readonly PayoutAttempt[]
  #state: PayoutGroup['state']
  #conflicts: PayoutGroup['conflicts']
  /** Whether it was settled, until a reorg. */
  #isReopened = false

  constructor(readonly group: PayoutGroup) {
    this.#attempts = group.attempts
    this.#state = group.state
    this.#conflicts = group.conflicts
  }

  /** The attempt that the chain has accepted. */
  get accepted(): PayoutAttempt | undefined {
    return this.#attempts.find(({ acceptedBlueScore }) => acceptedBlueScore !== null)
  }

  /** What makes an attempt impossible: it spends one of its inputs, or it is another attempt that was accepted. */
  conflictsOf(transactionId: string): readonly Omit<GroupConflict, 'outpoint'>[] {
    const attempt = this.#attempts.find((each) => each.transactionId === transactionId)
    const inputs = attempt === undefined ? [] : outpointsOf(attempt)
    const foreign = this.#conflicts.filter(({ outpoint }) => inputs.includes(outpoint))
    const { accepted } = this
    const isOther = accepted !== undefined && accepted.transactionId !== transactionId
    return isOther && accepted.acceptedBlueScore !== null
      ? [...foreign, { transactionId: accepted.transactionId, blueScore: accepted.acceptedBlueScore }]
      : foreign
  }

  get hasConflicts(): boolean {
    return this.#conflicts.length > 0 || (this.accepted !== undefined && this.#attempts.length > 1)
  }

  /** Takes back what chain blocks above a blue score have done. */
  rollBack(blueScore: bigint): void {
    const isReverted = this.#attempts.some((attempt) => (attempt.acceptedBlueScore ?? -1n) > blueScore)
    const left = this.#conflicts.filter((conflict) => conflict.blueScore <= blueScore)
    if (!isReverted && left.length === this.#conflicts.length) return
    this.#conflicts = left
    if (!isReverted && this.#state === 'settled') return
    this.#attempts = this.#attempts.map((attempt) =>
      (attempt.acceptedBlueScore ?? -1n) > blueScore
        ? { ...attempt, acceptedBlueScore: null, acceptingBlock: null }
        : attempt,
    )
    this.#isReopened ||= this.#state === 'settled'
    const type = this.#state === 'settled' ? 'unsettled' : 'rolled-back'
    this.#state = 'open'
    this.#emit(() => ({ type, blueScore }))
  }

  accept(transactionId: string, blueScore: bigint, acceptingBlock: string | null): void {
    const acceptedBlueScore = blueScore
    this.#attempts = this.#attempts.map((attempt) =>
      attempt.transactionId === transactionId ? { ...attempt, acceptedBlueScore, acceptingBlock } : attempt,
    )
    this.#emit(({ id }) => (this.#pays(transactionId, id) ? { type: 'accepted', transactionId, blueScore } : undefined))
  }

  /** Another transaction has spent an input of it, or of a payment whose change it spends. True where that is new. */
  conflictWith(conflict: GroupConflict): boolean {
    const { transactionId, outpoint } = conflict
    const isKnown = this.#conflicts.some((each) => each.transactionId === transactionId && each.outpoint === outpoint)
    if (!isKnown) this.#conflicts = [...this.#conflicts, conflict]
    return !isKnown
  }

  /** The chain has a transaction whose output was missing. */
  recover(transactionId: string): void {
    const isEnded = (each: GroupConflict): boolean => each.isMissing === true && each.transactionId === transactionId
    const ended = this.#conflicts.find(isEnded)
    if (ended === undefined) return
    this.#conflicts = this.#conflicts.filter((each) => !isEnded(each))
    if (this.#state !== 'excluded') return
    this.#state = 'open'
    this.#emit(() => ({ type: 'rolled-back', blueScore: ended.blueScore - 1n }))
  }

  /** Ends the group where what has happened to it is deep enough at the position `blueScore`. */
  settle(blueScore: bigint, minConfirmations: number): void {
    if (this.#state !== 'open') return
    const isDeep = (score: bigint): boolean => blueScore - score >= BigInt(minConfirmations)
    const { accepted } = this
    if (accepted !== undefined && isDeep(accepted.acceptedBlueScore ?? blueScore)) {
      const { transactionId } = accepted
      this.#state = 'settled'
      this.#emit(({ id }) =>
        this.#pays(transactionId, id) ? { type: 'settled' } : { type: 'cancelled', transactionId },
      )
      return
    }
    const deep = this.#conflicts.filter((conflict) => isDeep(conflict.blueScore))
    const last = deep.at(-1)
    if (accepted !== undefined || last === undefined || !this.#isExcluded(deep)) return
    this.#state = 'excluded'
    this.#emit(() => ({ type: 'conflict', transactionId: last.transactionId, blueScore: last.blueScore }))
  }

  toChange(): Required<Pick<JournalChange, 'payouts' | 'groups' | 'attempts' | 'released' | 'reclaimed'>> {
    const { id, version, bumpRate } = this.group
    const update: GroupUpdate = { id, version, state: this.#state, bumpRate, conflicts: this.#conflicts }
    const isChanged = this.#state !== this.group.state || this.#conflicts !== this.group.conflicts
    return {
      payouts: this.group.payouts.flatMap((payout) => updatePayout(payout, this.#events.get(payout.id) ?? []) ?? []),
      groups: isChanged ? [update] : [],
      attempts: this.#attempts.filter((attempt, at) => attempt !== this.group.attempts[at]).map(toAttemptUpdate),
      ...this.#claimChanges(),
    }
  }

  /**
   * A settled group keeps the claims of what its accepted attempt spends. Those of other attempts end, unless another
   * transaction has spent them. A reorg that opens the group again takes that back.
   */
  #claimChanges(): Required<Pick<JournalChange, 'released' | 'reclaimed'>> {
    const toClaims = (outpoints: readonly OutpointKey[]): readonly OutpointClaim[] =>
      outpoints.map((outpoint) => ({ group: this.group.id, outpoint }))
    const all = [...new Set(this.#attempts.flatMap(outpointsOf))]
    const isSettled = this.#state === 'settled'
    const kept = new Set(this.accepted === undefined ? all : outpointsOf(this.accepted))
    const spent = new Set(this.#conflicts.filter((each) => each.isMissing !== true).map(({ outpoint }) => outpoint))
    const lost = isSettled ? all.filter((outpoint) => !kept.has(outpoint) && !spent.has(outpoint)) : []
    const isNew = isSettled && (this.#isReopened || this.group.state !== 'settled')
    return {
      released: isNew ? toClaims(lost) : [],
      reclaimed: this.#isReopened ? toClaims(all.filter((outpoint) => !lost.includes(outpoint))) : [],
    }
  }

  /** Whether each attempt needs an outpoint that another transaction has spent. */
  #isExcluded(conflicts: PayoutGroup['conflicts']): boolean {
    const spent = new Set(conflicts.map(({ outpoint }) => outpoint))
    return this.#attempts.every((attempt) => outpointsOf(attempt).some((outpoint) => spent.has(outpoint)))
  }

  #pays(transactionId: string, id: string): boolean {
    return this.#attempts.some((attempt) => attempt.transactionId === transactionId && attempt.pays.includes(id))
  }

  #emit(eventFor: (payout: PayoutRecord) => PayoutEvent | undefined): void {
    for (const payout of this.group.payouts) {
      const event = eventFor(payout)
      if (event === undefined) continue
      const events = this.#events.get(payout.id)
      if (events === undefined) this.#events.set(payout.id, [event])
      else events.push(event)
    }
  }
}

/** The outpoints that an attempt spends. */
export const outpointsOf = ({ signed }: Pick<PayoutAttempt, 'signed'>): readonly OutpointKey[] =>
  signed.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint))

/** A settled attempt without what only a submission needs; its id and inputs stay. */
export function withoutOutputs(attempt: PayoutAttempt): PayoutAttempt {
  const { restore: _, ...signed } = attempt.signed
  return { ...attempt, signed: { ...signed, outputs: [] } }
}

/** The payouts of a group that an attempt pays, in the order of its outputs; without those that were released. */
export function paidBy({ pays }: PayoutAttempt, { payouts }: Pick<PayoutGroup, 'payouts'>): readonly PayoutRecord[] {
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  return pays.flatMap((id) => byId.get(id) ?? [])
}

const toAttemptUpdate = ({ transactionId, acceptedBlueScore, acceptingBlock }: PayoutAttempt): AttemptUpdate => ({
  transactionId,
  acceptedBlueScore,
  acceptingBlock,
})
