import type { UtxoEntry } from '../../model/utxo.js'
import type { AmountCheck } from './amount-claims.js'
import type { OutpointMap } from './outpoint-map.js'

/**
 * Net changes of the entries of one address. An entry that was both added and removed in between is in neither list.
 */
export interface EntryChanges {
  readonly address: string
  /** Entries that were removed or replaced. */
  readonly removed: readonly UtxoEntry[]
  /**
   * New entries. A UTXO with a changed DAA score is in `removed` with the old score and in `added` with the new one.
   */
  readonly added: readonly UtxoEntry[]
}

export interface DeltaOutcome {
  readonly changes: EntryChanges
  /**
   * `consistent`: every removed entry was known, and no added one. `inconsistent`: a duplicate, a reordering, or a
   * notification that the snapshot already contains; another fetch resolves it.
   */
  readonly consistency: 'consistent' | 'inconsistent'
}

/**
 * Applies a notification to an address's entries, removals first: an outpoint in both lists is a UTXO whose DAA score
 * changed. An entry whose amount is not accepted is removed. Idempotent. Costs time in the size of the delta, not of the
 * set.
 */
export function applyDelta(
  address: string,
  entries: OutpointMap,
  removed: readonly UtxoEntry[],
  added: readonly UtxoEntry[],
  amounts: AmountCheck,
): DeltaOutcome {
  const removedEntries = entries.emptyCopy()
  const collector = createChangeCollector(address)
  let mismatches = 0
  for (const entry of removed) {
    const known = entries.remove(entry.outpoint)
    if (known !== undefined) removedEntries.put(known)
    if (known === undefined || !isSameEntry(known, entry)) mismatches++
  }
  for (const entry of added) {
    const replaced = removedEntries.remove(entry.outpoint)
    const before = entries.put(entry) ?? replaced
    if (before !== replaced) mismatches++
    if (!amounts.accepts(entry, before)) {
      entries.remove(entry.outpoint)
      collector.record(before, undefined)
      continue
    }
    if (before === undefined || !isSameEntry(before, entry)) collector.record(before, entry)
    else entries.put(before) // an unchanged entry keeps its object
  }
  for (const before of removedEntries.values()) collector.record(before, undefined)
  return { changes: collector.changes(), consistency: mismatches === 0 ? 'consistent' : 'inconsistent' }
}

/** Replaces `entries` by the snapshot's, without those whose amount is not accepted. Unchanged entries keep their objects. */
export function replaceEntries(
  address: string,
  entries: OutpointMap,
  snapshot: readonly UtxoEntry[],
  amounts: AmountCheck,
): EntryChanges {
  if (entries.size === 0 && amounts.isEmpty && fill(entries, snapshot) === 'filled')
    return { address, removed: [], added: snapshot }
  const missing = new Set(entries.values())
  const collector = createChangeCollector(address)
  for (const entry of snapshot) {
    const before = entries.get(entry.outpoint)
    if (before !== undefined) missing.delete(before)
    if (!amounts.accepts(entry, before)) {
      entries.remove(entry.outpoint)
      collector.record(before, undefined)
      continue
    }
    if (before !== undefined && isSameEntry(before, entry)) continue
    entries.put(entry)
    collector.record(before, entry)
  }
  for (const before of missing) {
    entries.remove(before.outpoint)
    collector.record(before, undefined)
  }
  return collector.changes()
}

/** Fast path for a first snapshot: all of it is new, and it may be long. Leaves `entries` empty if an outpoint repeats. */
function fill(entries: OutpointMap, snapshot: readonly UtxoEntry[]): 'filled' | 'duplicates' {
  entries.fill(snapshot)
  if (entries.size === snapshot.length) return 'filled'
  entries.clear()
  return 'duplicates'
}

/** Reduces successive changes to net changes. */
function createChangeCollector(address: string): {
  record(before: UtxoEntry | undefined, after: UtxoEntry | undefined): void
  changes(): EntryChanges
} {
  const removed: UtxoEntry[] = []
  const added = new Set<UtxoEntry>()
  return {
    record: (before, after) => {
      if (before !== undefined && !added.delete(before)) removed.push(before)
      if (after !== undefined) added.add(after)
    },
    changes: () => ({ address, removed, added: [...added] }),
  }
}

/** Whether two entries of one outpoint are equal. Amount and script were checked before. */
const isSameEntry = (a: UtxoEntry, b: UtxoEntry): boolean =>
  a.blockDaaScore === b.blockDaaScore && a.isCoinbase === b.isCoinbase
