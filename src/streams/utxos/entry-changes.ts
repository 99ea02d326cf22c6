import type { UtxoEntry } from '../../model/utxo.js'
import { OutpointMap } from './outpoint-map.js'

/** What became of one output. */
export interface EntryChange {
  readonly address: string
  /** Undefined where it is new. */
  readonly before: UtxoEntry | undefined
  /** Undefined where it is gone. */
  readonly after: UtxoEntry | undefined
}

export interface DeltaOutcome {
  /** One after the other: an outpoint that was told of twice may stand in two. */
  readonly changes: readonly EntryChange[]
  /**
   * `in-order` where the delta fits what was known: it takes away what was there, and adds what was not. `doubtful` where
   * it was heard twice, out of order, or after a snapshot that held it already: then only another look can tell.
   */
  readonly fit: 'in-order' | 'doubtful'
}

/**
 * Applies a notification to an address's entries, removals first: an outpoint that is in both lists is a coin that stays
 * and got another DAA score. What changes nothing is no change, so that hearing it twice does no harm. Costs what the
 * delta is large, not what the entries are many.
 */
export function applyDelta(
  address: string,
  entries: OutpointMap,
  removed: readonly UtxoEntry[],
  added: readonly UtxoEntry[],
): DeltaOutcome {
  const taken = new OutpointMap()
  const changes: EntryChange[] = []
  let surprises = 0
  for (const entry of removed) {
    const known = entries.take(entry.outpoint)
    if (known !== undefined) taken.put(known)
    if (known === undefined || !isSameEntry(known, entry)) surprises++
  }
  for (const entry of added) {
    const stayed = taken.take(entry.outpoint)
    const before = entries.put(entry) ?? stayed
    if (before !== stayed) surprises++
    if (before === undefined || !isSameEntry(before, entry)) changes.push({ address, before, after: entry })
    else entries.put(before) // what has not changed keeps its object
  }
  for (const before of taken.values()) changes.push({ address, before, after: undefined })
  return { changes, fit: surprises === 0 ? 'in-order' : 'doubtful' }
}

/** Makes `entries` what a snapshot says. What has not changed keeps its object. */
export function replaceEntries(
  address: string,
  entries: OutpointMap,
  snapshot: readonly UtxoEntry[],
): readonly EntryChange[] {
  const missing = new Set(entries.values())
  const changes: EntryChange[] = []
  for (const entry of snapshot) {
    const before = entries.get(entry.outpoint)
    if (before !== undefined) missing.delete(before)
    if (before !== undefined && isSameEntry(before, entry)) continue
    entries.put(entry)
    changes.push({ address, before, after: entry })
  }
  for (const before of missing) {
    entries.take(before.outpoint)
    changes.push({ address, before, after: undefined })
  }
  return changes
}

/** Whether two entries of one outpoint say the same. Amount and script belong to the outpoint and cannot differ. */
const isSameEntry = (a: UtxoEntry, b: UtxoEntry): boolean =>
  a.blockDaaScore === b.blockDaaScore && a.isCoinbase === b.isCoinbase
