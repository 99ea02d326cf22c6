import type { UtxoEntry } from '../../model/utxo.js'
import { OutpointMap } from './outpoint-map.js'

/** What became of the entries of one address, from first to last: what came and went again meanwhile is in neither list. */
export interface EntryChanges {
  readonly address: string
  /** What is no longer as it was. */
  readonly gone: readonly UtxoEntry[]
  /** What is new. A coin that stays and got another DAA score has gone as it was, and come as it is. */
  readonly come: readonly UtxoEntry[]
}

export interface DeltaOutcome {
  readonly changes: EntryChanges
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
  const turnover = createTurnover(address)
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
    if (before === undefined || !isSameEntry(before, entry)) turnover.note(before, entry)
    else entries.put(before) // what has not changed keeps its object
  }
  for (const before of taken.values()) turnover.note(before, undefined)
  return { changes: turnover.changes(), fit: surprises === 0 ? 'in-order' : 'doubtful' }
}

/** Makes `entries` what a snapshot says. What has not changed keeps its object. */
export function replaceEntries(address: string, entries: OutpointMap, snapshot: readonly UtxoEntry[]): EntryChanges {
  if (entries.size === 0) return fill(address, entries, snapshot)
  const missing = new Set(entries.values())
  const turnover = createTurnover(address)
  for (const entry of snapshot) {
    const before = entries.get(entry.outpoint)
    if (before !== undefined) missing.delete(before)
    if (before !== undefined && isSameEntry(before, entry)) continue
    entries.put(entry)
    turnover.note(before, entry)
  }
  for (const before of missing) {
    entries.take(before.outpoint)
    turnover.note(before, undefined)
  }
  return turnover.changes()
}

/** A first snapshot may be long, and all of it is new. */
function fill(address: string, entries: OutpointMap, snapshot: readonly UtxoEntry[]): EntryChanges {
  entries.fill(snapshot)
  const isEachNamedOnce = entries.size === snapshot.length
  return { address, gone: [], come: isEachNamedOnce ? snapshot : entries.values() }
}

/** Adds up what becomes of entries, one after the other. */
function createTurnover(address: string): {
  note(before: UtxoEntry | undefined, after: UtxoEntry | undefined): void
  changes(): EntryChanges
} {
  const gone: UtxoEntry[] = []
  const come = new Set<UtxoEntry>()
  return {
    note: (before, after) => {
      if (before !== undefined && !come.delete(before)) gone.push(before)
      if (after !== undefined) come.add(after)
    },
    changes: () => ({ address, gone, come: [...come] }),
  }
}

/** Whether two entries of one outpoint say the same. Amount and script belong to the outpoint and cannot differ. */
const isSameEntry = (a: UtxoEntry, b: UtxoEntry): boolean =>
  a.blockDaaScore === b.blockDaaScore && a.isCoinbase === b.isCoinbase
