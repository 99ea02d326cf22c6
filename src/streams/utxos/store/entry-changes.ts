import type { UtxoEntry } from '../../../model/utxo.js'
import type { AmountCheck } from './amount-claims.js'
import type { EntrySet } from './entry-set.js'
import type { EntryView } from './entry-view.js'
import { toEntry } from '../../../model/utxo-columns/records.js'
import { ColumnIndex } from './column-index.js'
import type { RowMatches } from './column-steps.js'
import type { AddressEntries } from './snapshot.js'

/**
 * Net changes of the entries of one address. An entry that was both added and removed in between is in neither list.
 * All entries at once are a view, because they may be many:
 * - `loaded`: there were none before, as at a first snapshot. `cleared`: none are left.
 */
export type EntryChanges =
  | PartialChanges
  | { readonly type: 'loaded'; readonly address: string; readonly removed: readonly []; readonly added: EntryView }
  | { readonly type: 'cleared'; readonly address: string; readonly removed: EntryView; readonly added: readonly [] }

/** The changes of some of the entries. */
export interface PartialChanges {
  readonly type: 'changed'
  readonly address: string
  /** Entries that were removed or replaced. */
  readonly removed: readonly UtxoEntry[]
  /**
   * New entries. A UTXO with a changed DAA score is in `removed` with the old score and in `added` with the new one.
   */
  readonly added: readonly UtxoEntry[]
}

export interface DeltaOutcome {
  readonly changes: PartialChanges
  /**
   * `consistent`: every removed entry was known, and no added one. `inconsistent`: a duplicate, a reordering, or a
   * notification that the snapshot already contains; another fetch resolves it.
   */
  readonly consistency: 'consistent' | 'inconsistent'
}

/**
 * Applies a notification to an address's entries, removals first: an outpoint in both lists is a UTXO whose DAA score
 * changed. An entry whose amount is not accepted is removed. Idempotent. Costs time in the size of the delta, not of
 * the set.
 */
export function applyDelta(
  address: string,
  entries: EntrySet,
  removed: readonly UtxoEntry[],
  added: readonly UtxoEntry[],
  amounts: AmountCheck,
): DeltaOutcome {
  const removedEntries = entries.emptyMap()
  const collector = createChangeCollector(address)
  let mismatches = 0
  for (const entry of removed) {
    const known = entries.remove(entry.outpoint, entry)
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

/**
 * Replaces `entries` by the snapshot's, without those whose amount is not accepted. Unchanged entries keep their
 * objects. `matches`: rows of the entries that the snapshot repeats, where they were compared before.
 */
export function replaceEntries(
  address: string,
  entries: EntrySet,
  snapshot: AddressEntries,
  amounts: AmountCheck,
  matches?: RowMatches,
): EntryChanges {
  if (entries.size === 0 && amounts.isEmpty && adopt(entries, snapshot) === 'adopted')
    return { type: 'loaded', address, removed: [], added: entries.view() }
  const marks = entries.view().marks()
  const collector = createChangeCollector(address)
  const apply = (entry: UtxoEntry): void => {
    const before = entries.get(entry.outpoint)
    if (before !== undefined) marks.mark(before)
    if (!amounts.accepts(entry, before)) {
      entries.remove(entry.outpoint)
      collector.record(before, undefined)
    } else if (before === undefined || !isSameEntry(before, entry)) {
      entries.put(entry)
      collector.record(before, entry)
    }
  }
  if (snapshot instanceof ColumnIndex) {
    const { columns } = snapshot
    for (let row = 0; row < columns.count; row++) {
      const same = amounts.hasConflicts ? -1 : entries.findSame(columns, row, matches)
      if (same < 0) apply(toEntry(columns, row))
      else marks.markRow(same)
    }
  } else snapshot.forEach(apply)
  for (const before of marks.unmarked()) {
    entries.remove(before.outpoint)
    collector.record(before, undefined)
  }
  return collector.changes()
}

/**
 * Fast path for a first snapshot: all of it is new, and it may be long. Leaves `entries` empty if an outpoint repeats.
 */
function adopt(entries: EntrySet, snapshot: AddressEntries): 'adopted' | 'duplicates' {
  if (snapshot instanceof ColumnIndex) {
    entries.adopt(snapshot)
    return 'adopted'
  }
  entries.fill(snapshot)
  if (entries.size === snapshot.length) return 'adopted'
  entries.clear()
  return 'duplicates'
}

/** Reduces successive changes to net changes. */
function createChangeCollector(address: string): {
  record(before: UtxoEntry | undefined, after: UtxoEntry | undefined): void
  changes(): PartialChanges
} {
  const removed: UtxoEntry[] = []
  const added = new Set<UtxoEntry>()
  return {
    record: (before, after) => {
      if (before !== undefined && !added.delete(before)) removed.push(before)
      if (after !== undefined) added.add(after)
    },
    changes: () => ({ type: 'changed', address, removed, added: [...added] }),
  }
}

/** Whether two entries of one outpoint are equal. Amount and script were checked before. */
const isSameEntry = (a: UtxoEntry, b: UtxoEntry): boolean =>
  a.blockDaaScore === b.blockDaaScore && a.isCoinbase === b.isCoinbase && a.covenantId === b.covenantId
