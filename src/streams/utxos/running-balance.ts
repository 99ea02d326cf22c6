import { maturityScore } from '../../model/maturity.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { EntryChanges } from './entry-changes.js'
import { createMaturityQueue } from './maturity-queue.js'

/** Sums of entries by maturity, in sompi. */
export interface EntrySums {
  readonly mature: bigint
  readonly immature: bigint
}

/** Balance of a set of entries, updated change by change. */
export interface RunningBalance {
  /** The DAA score that decides maturity. */
  readonly score: bigint
  readonly sums: EntrySums
  /** The sums of one address. */
  sumsOf(address: string): EntrySums
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
export type EntriesByAddress = Iterable<readonly [address: string, entries: readonly UtxoEntry[]]>

interface Immature {
  readonly address: string
  readonly entry: UtxoEntry
}

const ZERO: EntrySums = { mature: 0n, immature: 0n }

/**
 * Costs time in the number of changes: immature entries are queued by the score at which it matures. Entries with a
 * covenant are not counted, since they are not spendable.
 */
export function createRunningBalance(coinbaseMaturity: bigint): RunningBalance {
  const immatureEntries = new Set<UtxoEntry>()
  const queue = createMaturityQueue<Immature>()
  const byAddress = new Map<string, EntrySums>()
  let score = 0n
  let mature = 0n
  let immature = 0n

  function add(address: string, entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    const due = maturityScore(entry, coinbaseMaturity)
    if (due <= score) {
      mature += entry.amount
      return
    }
    immature += entry.amount
    immatureEntries.add(entry)
    queue.push(due, { address, entry })
  }

  function remove(entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    if (immatureEntries.delete(entry)) immature -= entry.amount
    else mature -= entry.amount
  }

  function apply(address: string, removed: readonly UtxoEntry[], added: readonly UtxoEntry[]): void {
    const before = { mature, immature }
    removed.forEach(remove)
    added.forEach((entry) => add(address, entry))
    count(address, mature - before.mature, immature - before.immature)
  }

  /** Adds to the sums of an address. */
  function count(address: string, moreMature: bigint, moreImmature: bigint): void {
    const before = byAddress.get(address) ?? ZERO
    const after = { mature: before.mature + moreMature, immature: before.immature + moreImmature }
    if (after.mature === 0n && after.immature === 0n) byAddress.delete(address)
    else byAddress.set(address, after)
  }

  function matureDue(): void {
    for (const { address, entry } of queue.takeDue(score)) {
      if (!immatureEntries.delete(entry)) continue // removed or replaced meanwhile; or added again, and queued twice
      immature -= entry.amount
      mature += entry.amount
      count(address, entry.amount, -entry.amount)
    }
  }

  function recalculate(entries: EntriesByAddress): void {
    immatureEntries.clear()
    queue.clear()
    byAddress.clear()
    mature = 0n
    immature = 0n
    for (const [address, ofAddress] of entries) apply(address, [], ofAddress)
  }

  return {
    get score() {
      return score
    },
    get sums() {
      return { mature, immature }
    },
    sumsOf: (address) => byAddress.get(address) ?? ZERO,
    apply: ({ address, removed, added }) => {
      apply(address, removed, added)
      return immatureEntries.size > 0 && added.some(({ blockDaaScore }) => blockDaaScore > score) ? 'ahead' : 'known'
    },
    setScore: (next, entries) => {
      const [before, isLower] = [mature, next < score]
      score = next
      if (isLower) recalculate(entries())
      else matureDue()
      return mature === before ? 'same' : 'changed'
    },
    sumsAmong: (entries) => {
      const among = { mature: 0n, immature: 0n }
      for (const entry of entries) {
        if (entry.covenantId !== undefined) continue
        among[immatureEntries.has(entry) ? 'immature' : 'mature'] += entry.amount
      }
      return among
    },
  }
}
