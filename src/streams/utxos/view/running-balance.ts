import { isCountedOutput, maturityScore } from '../../../model/spendable.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { EntryChanges, EntryView } from '../store/store.js'
import { createMaturityQueue } from './maturity-queue.js'

/** Sums of entries by maturity, in sompi. */
export interface EntrySums {
  readonly mature: bigint
  readonly immature: bigint
  /** Bound by a covenant, whatever their maturity. */
  readonly bound: bigint
}

/** Balance of a set of entries, updated change by change. */
export interface RunningBalance {
  /** The DAA score that decides maturity. */
  readonly score: bigint
  readonly sums: EntrySums
  /** The sums of one address: the same object until they change. */
  readonly sumsOf: (address: string) => EntrySums
  /** Returns whether an added entry is ahead: its block has a higher DAA score, so that a later score exists. */
  apply(changes: EntryChanges): 'ahead' | 'known'
  /**
   * Sets the DAA score; returns whether the mature balance changed. A lower score than before (reorg, other node)
   * recalculates the balance from `entries`, by address.
   */
  setScore(score: bigint, entries: () => EntriesByAddress): 'changed' | 'same'
  /** The sums of some of the counted entries. */
  sumsAmong(entries: Iterable<UtxoEntry>): EntrySums
}

/** Entries with their address. */
export type EntriesByAddress = Iterable<readonly [address: string, entries: EntryView]>

/** An immature entry in the queue. */
interface Queued {
  readonly address: string
  readonly entry: UtxoEntry
}

/** The balance of one address. */
interface AddressBalance {
  sums: EntrySums
  /** Null until there is one: most of many addresses have none. */
  immatureEntries: Set<UtxoEntry> | null
}

const ZERO: EntrySums = { mature: 0n, immature: 0n, bound: 0n }

/** Costs time in the number of changes: immature entries are queued by the score at which they mature. */
export function createRunningBalance(coinbaseMaturity: bigint): RunningBalance {
  const queue = createMaturityQueue<Queued>()
  const byAddress = new Map<string, AddressBalance>()
  let score = 0n
  let mature = 0n
  let immature = 0n
  let bound = 0n

  function balanceOf(address: string): AddressBalance {
    const known = byAddress.get(address)
    if (known !== undefined) return known
    const balance: AddressBalance = { sums: ZERO, immatureEntries: null }
    byAddress.set(address, balance)
    return balance
  }

  function addMature(balance: AddressBalance, amount: bigint): void {
    if (amount === 0n) return
    balance.sums = { ...balance.sums, mature: balance.sums.mature + amount }
    mature += amount
  }

  function addImmature(balance: AddressBalance, amount: bigint): void {
    balance.sums = { ...balance.sums, immature: balance.sums.immature + amount }
    immature += amount
  }

  function addBound(address: string, balance: AddressBalance, { covenantId }: UtxoEntry, amount: bigint): void {
    if (!isCountedOutput({ address, covenantId })) return
    balance.sums = { ...balance.sums, bound: balance.sums.bound + amount }
    bound += amount
  }

  function enqueue(address: string, balance: AddressBalance, entry: UtxoEntry): void {
    addImmature(balance, entry.amount)
    balance.immatureEntries ??= new Set()
    balance.immatureEntries.add(entry)
    queue.push(maturityScore(entry, coinbaseMaturity), { address, entry })
  }

  function add(address: string, entry: UtxoEntry): void {
    const balance = balanceOf(address)
    if (entry.covenantId !== undefined) addBound(address, balance, entry, entry.amount)
    else if (maturityScore(entry, coinbaseMaturity) <= score) addMature(balance, entry.amount)
    else enqueue(address, balance, entry)
  }

  function remove(address: string, entry: UtxoEntry): void {
    const balance = balanceOf(address)
    if (entry.covenantId !== undefined) addBound(address, balance, entry, -entry.amount)
    else if (balance.immatureEntries?.delete(entry) === true) addImmature(balance, -entry.amount)
    else addMature(balance, -entry.amount)
  }

  function removeAll(address: string): void {
    const balance = byAddress.get(address)
    if (balance === undefined) return
    mature -= balance.sums.mature
    immature -= balance.sums.immature
    bound -= balance.sums.bound
    byAddress.delete(address)
  }

  function addAll(address: string, entries: EntryView): void {
    const balance = balanceOf(address)
    const sum = entries.sumMature(score, coinbaseMaturity, (entry) => add(address, entry))
    addMature(balance, sum)
  }

  function apply(changes: EntryChanges): void {
    const { type, address } = changes
    if (type === 'cleared') removeAll(address)
    else if (type === 'loaded') addAll(address, changes.added)
    else {
      for (const entry of changes.removed) remove(address, entry)
      for (const entry of changes.added) add(address, entry)
    }
    forgetEmpty(address)
  }

  function forgetEmpty(address: string): void {
    const balance = byAddress.get(address)
    if (balance !== undefined && isEmpty(balance)) byAddress.delete(address)
  }

  function matureDue(): void {
    for (const { address, entry } of queue.takeDue(score)) {
      const balance = byAddress.get(address)
      // removed or replaced meanwhile; or added again, and queued twice
      if (balance?.immatureEntries?.delete(entry) !== true) continue
      addImmature(balance, -entry.amount)
      addMature(balance, entry.amount)
    }
  }

  function recalculate(entries: EntriesByAddress): void {
    queue.clear()
    byAddress.clear()
    mature = 0n
    immature = 0n
    bound = 0n
    for (const [address, added] of entries) apply({ type: 'loaded', address, removed: [], added })
  }

  const isAhead = ({ blockDaaScore }: UtxoEntry): boolean => blockDaaScore > score

  /** Whether an added entry is ahead. Of a view only immature entries can be. */
  function hasAhead({ type, address, added }: EntryChanges): boolean {
    const immatureEntries = byAddress.get(address)?.immatureEntries
    if (immatureEntries === undefined || immatureEntries === null) return false
    return type === 'loaded' ? [...immatureEntries].some(isAhead) : added.some(isAhead)
  }

  return {
    get score() {
      return score
    },
    get sums() {
      return { mature, immature, bound }
    },
    sumsOf: (address) => byAddress.get(address)?.sums ?? ZERO,
    apply: (changes) => {
      apply(changes)
      return hasAhead(changes) ? 'ahead' : 'known'
    },
    setScore: (next, entries) => {
      const [before, isLower] = [mature, next < score]
      score = next
      if (isLower) recalculate(entries())
      else matureDue()
      return mature === before ? 'same' : 'changed'
    },
    sumsAmong: (entries) => {
      const among = { mature: 0n, immature: 0n, bound: 0n }
      for (const entry of entries) {
        const { address = '', amount, covenantId } = entry
        if (!isCountedOutput({ address, covenantId })) continue
        const isImmature = byAddress.get(address)?.immatureEntries?.has(entry) ?? false
        among[covenantId !== undefined ? 'bound' : isImmature ? 'immature' : 'mature'] += amount
      }
      return among
    },
  }
}

const isEmpty = ({ sums, immatureEntries }: AddressBalance): boolean =>
  sums.mature === 0n && sums.bound === 0n && (immatureEntries?.size ?? 0) === 0
