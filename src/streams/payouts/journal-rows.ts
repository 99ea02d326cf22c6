import type { OutpointKey } from '../../model/utxo.js'
import { outpointsOf } from './group-changes.js'
import {
  NEW_WALLET,
  type JournalChange,
  type JournalWallet,
  type NewAttempt,
  type OutpointClaim,
  type PayoutGroup,
  type PayoutRecord,
} from './journal.js'

/** A group without its payouts. */
type GroupRow = Omit<PayoutGroup, 'payouts'>

/**
 * Rows of a journal in memory: all of `memoryJournal`, or those of open groups in the instance that works. A change is
 * written whole or not at all, under the conditions of every journal.
 */
export class JournalRows {
  readonly payouts = new Map<string, PayoutRecord>()
  readonly claims = new Map<OutpointKey, string>()
  wallet: JournalWallet = NEW_WALLET
  readonly #groups = new Map<string, GroupRow>()
  readonly #members = new Map<string, Set<string>>()
  /** The group of each attempt. */
  readonly #attempts = new Map<string, string>()
  /** Groups with their payouts, until one of their rows changes. */
  readonly #built = new Map<string, PayoutGroup>()

  /** Puts groups in with their payouts, over older versions. */
  load(groups: readonly PayoutGroup[]): void {
    for (const { payouts, ...group } of groups) {
      this.#setGroup(group)
      this.#claim(claimedBy(group).map((outpoint) => ({ group: group.id, outpoint })))
      for (const payout of payouts) this.setPayout(payout)
    }
  }

  /** Drops everything but the wallet. */
  clear(): void {
    const { payouts, claims } = this
    for (const rows of [payouts, claims, this.#groups, this.#members, this.#attempts, this.#built]) rows.clear()
  }

  /** Drops settled groups with their payouts and claims, which the journal keeps. */
  forgetSettled(): void {
    for (const { id, state, attempts } of [...this.#groups.values()]) {
      if (state !== 'settled') continue
      for (const member of this.#members.get(id) ?? []) this.payouts.delete(member)
      for (const { transactionId, signed } of attempts) {
        this.#attempts.delete(transactionId)
        this.#release(outpointsOf({ signed }).map((outpoint) => ({ group: id, outpoint })))
      }
      this.#members.delete(id)
      this.#built.delete(id)
      this.#groups.delete(id)
    }
  }

  /** Drops a payout without a group. */
  drop(id: string): void {
    this.payouts.delete(id)
  }

  get groups(): readonly PayoutGroup[] {
    return [...this.#groups.keys()].flatMap((id) => this.group(id) ?? [])
  }

  group(id: string): PayoutGroup | undefined {
    const group = this.#groups.get(id)
    if (group === undefined) return undefined
    const known = this.#built.get(id)
    if (known !== undefined) return known
    const payouts = [...(this.#members.get(id) ?? [])].flatMap((member) => this.payouts.get(member) ?? [])
    const built = { ...group, payouts: payouts.sort((a, b) => (a.sequence < b.sequence ? -1 : 1)) }
    this.#built.set(id, built)
    return built
  }

  groupOf(transactionId: string): PayoutGroup | undefined {
    const id = this.#attempts.get(transactionId)
    return id === undefined ? undefined : this.group(id)
  }

  setPayout(payout: PayoutRecord): void {
    const before = this.payouts.get(payout.id)?.group ?? null
    if (before !== null && before !== payout.group) this.#members.get(before)?.delete(payout.id)
    if (before !== null) this.#built.delete(before)
    this.payouts.set(payout.id, payout)
    if (payout.group === null) return
    this.#built.delete(payout.group)
    const members = this.#members.get(payout.group) ?? new Set()
    this.#members.set(payout.group, members.add(payout.id))
  }

  /** Whether a change fits: what is written was not changed since it was read. */
  accepts({ payouts = [], groups = [], attempts = [], replies = [], newAttempt, cursor }: JournalChange): boolean {
    return (
      payouts.every(({ id, version }) => this.payouts.get(id)?.version === version) &&
      groups.every(({ id, version }) => this.#groups.get(id)?.version === version) &&
      [...attempts, ...replies].every(({ transactionId }) => this.#attempts.has(transactionId)) &&
      (newAttempt === undefined || this.#acceptsAttempt(newAttempt)) &&
      (cursor === undefined || this.wallet.cursor === cursor.from)
    )
  }

  /** Writes a change that fits. */
  apply({
    payouts = [],
    groups = [],
    attempts = [],
    replies = [],
    newAttempt,
    released = [],
    reclaimed = [],
    cursor,
    ...wallet
  }: JournalChange): void {
    if (newAttempt !== undefined) this.#addAttempt(newAttempt)
    for (const { events: _, ...update } of payouts) {
      const payout = this.payouts.get(update.id)
      if (payout !== undefined) this.setPayout({ ...payout, ...update, version: update.version + 1 })
    }
    for (const update of groups) {
      const group = this.#groups.get(update.id)
      if (group !== undefined) this.#setGroup({ ...group, ...update, version: update.version + 1 })
    }
    for (const update of [...attempts, ...replies]) {
      const group = this.#groups.get(this.#attempts.get(update.transactionId) ?? '')
      if (group === undefined) continue
      const isIt = ({ transactionId }: { transactionId: string }): boolean => transactionId === update.transactionId
      this.#setGroup({ ...group, attempts: group.attempts.map((each) => (isIt(each) ? { ...each, ...update } : each)) })
    }
    this.#release(released)
    this.#claim(reclaimed)
    this.wallet = {
      cursor: cursor?.to ?? this.wallet.cursor,
      isOnHold: wallet.isOnHold ?? this.wallet.isOnHold,
      debits: mergeDebits(this.wallet.debits, wallet.debits ?? []),
    }
  }

  #acceptsAttempt({ group, attempt, claims }: NewAttempt): boolean {
    const known = this.#groups.get(group)
    const isNext = attempt.number === (known?.attempts.length ?? 0)
    return isNext && !this.#attempts.has(attempt.transactionId) && claims.every((claim) => !this.claims.has(claim))
  }

  #addAttempt({ group: id, attempt, claims }: NewAttempt): void {
    const known = this.#groups.get(id)
    this.#setGroup(
      known === undefined
        ? { id, state: 'open', version: 0, bumpRate: null, conflicts: [], attempts: [attempt] }
        : { ...known, attempts: [...known.attempts, attempt] },
    )
    for (const claim of claims) this.claims.set(claim, id)
  }

  #claim(claims: readonly OutpointClaim[]): void {
    for (const { outpoint, group } of claims) if (!this.claims.has(outpoint)) this.claims.set(outpoint, group)
  }

  #release(claims: readonly OutpointClaim[]): void {
    for (const { outpoint, group } of claims) if (this.claims.get(outpoint) === group) this.claims.delete(outpoint)
  }

  #setGroup(group: GroupRow): void {
    this.#groups.set(group.id, group)
    this.#built.delete(group.id)
    for (const { transactionId } of group.attempts) this.#attempts.set(transactionId, group.id)
  }
}

/** The outpoints that a group claims: where it is settled, those of the attempt that was accepted. */
function claimedBy({ state, attempts }: GroupRow): readonly OutpointKey[] {
  const accepted = attempts.filter(({ acceptedBlueScore }) => acceptedBlueScore !== null)
  return (state === 'settled' ? accepted : attempts).flatMap(outpointsOf)
}

function mergeDebits(known: JournalWallet['debits'], added: JournalWallet['debits']): JournalWallet['debits'] {
  const debits = new Map(known.map((debit) => [debit.transactionId, debit]))
  for (const debit of added) debits.set(debit.transactionId, debit)
  return [...debits.values()]
}
