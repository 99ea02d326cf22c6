import { maturityScore } from '../../model/maturity.js'
import type { UtxoBalance, UtxoEntry } from '../../model/utxo.js'
import type { EntryChanges } from './entry-changes.js'
import { createMaturityQueue } from './maturity-queue.js'

/** Balance of a set of entries, updated change by change. */
export interface RunningBalance {
  /** The DAA score that decides maturity. */
  readonly score: bigint
  /** Returns whether an added entry is ahead: its block has a higher DAA score, so that a later score exists. */
  apply(changes: Pick<EntryChanges, 'removed' | 'added'>): 'ahead' | 'known'
  /** Adds to the unconfirmed incoming sum, in sompi; may be negative. */
  addIncoming(amount: bigint): void
  /**
   * Sets the DAA score; returns whether the mature balance changed. A lower score than before (reorg, other node)
   * recalculates the balance from `entries`.
   */
  setScore(score: bigint, entries: () => Iterable<UtxoEntry>): 'changed' | 'same'
  balance(): UtxoBalance
}

/**
 * Costs time in the number of changes: immature entries are queued by the score at which they mature. Entries with a
 * covenant are not counted, since they are not spendable.
 */
export function createRunningBalance(coinbaseMaturity: bigint): RunningBalance {
  const immatureEntries = new Set<UtxoEntry>()
  const queue = createMaturityQueue<UtxoEntry>()
  let score = 0n
  let mature = 0n
  let immature = 0n
  let incoming = 0n

  function add(entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    const due = maturityScore(entry, coinbaseMaturity)
    if (due <= score) {
      mature += entry.amount
      return
    }
    immature += entry.amount
    immatureEntries.add(entry)
    queue.push(due, entry)
  }

  function remove(entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    if (immatureEntries.delete(entry)) immature -= entry.amount
    else mature -= entry.amount
  }

  function matureDue(): void {
    for (const entry of queue.takeDue(score)) {
      if (!immatureEntries.delete(entry)) continue // removed or replaced meanwhile; or added again, and queued twice
      immature -= entry.amount
      mature += entry.amount
    }
  }

  function recalculate(entries: Iterable<UtxoEntry>): void {
    immatureEntries.clear()
    queue.clear()
    mature = 0n
    immature = 0n
    for (const entry of entries) add(entry)
  }

  return {
    get score() {
      return score
    },
    apply: ({ removed, added }) => {
      removed.forEach(remove)
      added.forEach(add)
      return immatureEntries.size > 0 && added.some(({ blockDaaScore }) => blockDaaScore > score) ? 'ahead' : 'known'
    },
    addIncoming: (amount) => {
      incoming += amount
    },
    setScore: (next, entries) => {
      const [before, isLower] = [mature, next < score]
      score = next
      if (isLower) recalculate(entries())
      else matureDue()
      return mature === before ? 'same' : 'changed'
    },
    balance: () => ({ mature, pending: immature + incoming, outgoing: 0n }),
  }
}
