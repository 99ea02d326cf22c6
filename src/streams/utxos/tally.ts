import { isMature } from '../../model/maturity.js'
import type { UtxoBalance, UtxoEntry } from '../../model/utxo.js'
import type { EntryChanges } from './entry-changes.js'
import { createMaturityQueue } from './maturity-queue.js'

/** The worth of a set of entries, kept up to date change by change. */
export interface Tally {
  /** The DAA score by which it judges maturity. */
  readonly score: bigint
  apply(changes: Pick<EntryChanges, 'gone' | 'come'>): void
  /** Adds to what is on its way and unconfirmed; negative to take away. */
  addIncoming(amount: bigint): void
  /**
   * Moves the clock. What has ripened since becomes mature; whether anything has. A clock that goes back (another chain,
   * another node) makes it judge all of `entries` anew.
   */
  moveTo(score: bigint, entries: () => Iterable<UtxoEntry>): 'changed' | 'same'
  balance(): UtxoBalance
}

/**
 * A tally that costs what the changes are many: coinbase waits in a queue by the score at which it ripens. Entries bound by
 * a covenant are worth nothing to whoever may not spend them, and count nowhere.
 */
export function createTally(coinbaseMaturity: bigint): Tally {
  const ripening = new Set<UtxoEntry>()
  const queue = createMaturityQueue<UtxoEntry>()
  let score = 0n
  let mature = 0n
  let unripe = 0n
  let incoming = 0n

  function add(entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    if (isMature(entry, score, coinbaseMaturity)) {
      mature += entry.amount
      return
    }
    unripe += entry.amount
    ripening.add(entry)
    queue.push(entry.blockDaaScore + coinbaseMaturity, entry)
  }

  function remove(entry: UtxoEntry): void {
    if (entry.covenantId !== undefined) return
    if (ripening.delete(entry)) unripe -= entry.amount
    else mature -= entry.amount
  }

  function ripen(): void {
    for (const entry of queue.takeDue(score)) {
      if (!ripening.delete(entry)) continue // spent, changed or left meanwhile; or come back, and queued twice
      unripe -= entry.amount
      mature += entry.amount
    }
  }

  function restart(entries: Iterable<UtxoEntry>): void {
    ripening.clear()
    queue.clear()
    mature = 0n
    unripe = 0n
    for (const entry of entries) add(entry)
  }

  return {
    get score() {
      return score
    },
    apply: ({ gone, come }) => {
      gone.forEach(remove)
      come.forEach(add)
    },
    addIncoming: (amount) => {
      incoming += amount
    },
    moveTo: (next, entries) => {
      const [before, isBack] = [mature, next < score]
      score = next
      if (isBack) restart(entries())
      else ripen()
      return mature === before ? 'same' : 'changed'
    },
    balance: () => ({ mature, pending: unripe + incoming, outgoing: 0n }),
  }
}
