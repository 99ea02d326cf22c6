import type { UtxoEntry } from '../../model/utxo.js'
import type { EntryChanges } from './entry-changes.js'
import type { EntryView } from './entry-view.js'

export type EntriesOf = (address: string) => EntryView | undefined

/** An immutable version of mutable sets of entries, readable after later changes. */
export interface SetVersion {
  /** The entries of these addresses in this version, in no particular order. */
  entriesOf(addresses: Iterable<string>): UtxoEntry[]
}

/** Change log of sets of entries, kept as far as existing versions need it. */
export interface History {
  /** Records a change that was just applied. */
  readonly record: (changes: EntryChanges) => void
  /** The current version, in constant time. */
  currentVersion(): SetVersion
}

/**
 * A segment of the log. A version in an open segment is read by undoing the later changes on the current sets; in a
 * closed one, on the copy made when it was closed. A version therefore keeps only one segment alive.
 */
interface Segment {
  readonly changes: EntryChanges[]
  /** Number of entries in the changes. */
  entryCount: number
  closedSets: EntriesOf | null
}

/** Minimum number of entries before a segment is closed: closing copies the sets, which costs time in their size. */
const MIN_SEGMENT_ENTRIES = 1_000

/** `current` returns a view of an address's entries; `addresses` lists all addresses. */
export function createHistory(current: EntriesOf, addresses: () => Iterable<string>): History {
  let segment: Segment | null = null // nothing is recorded before the first version is requested
  let entries = 0

  const close = (closing: Segment): void => {
    const copies = new Map(Array.from(addresses(), (address) => [address, current(address)]))
    closing.closedSets = (address) => copies.get(address)
    segment = null
  }
  return {
    record: (changes) => {
      entries += changes.added.length - changes.removed.length
      if (segment === null) return
      segment.changes.push(changes)
      segment.entryCount += changes.added.length + changes.removed.length
      if (segment.entryCount >= Math.max(MIN_SEGMENT_ENTRIES, entries)) close(segment)
    },
    currentVersion: () => versionAt((segment ??= { changes: [], entryCount: 0, closedSets: null }), current),
  }
}

function versionAt(segment: Segment, current: EntriesOf): SetVersion {
  const at = segment.changes.length
  return {
    entriesOf: (addresses) => {
      const requested = new Set(addresses)
      const entries = [...requested].flatMap((address) => (segment.closedSets ?? current)(address)?.toArray() ?? [])
      const later = segment.changes.slice(at).filter(({ address }) => requested.has(address))
      return later.length === 0 ? entries : undo(entries, later)
    },
  }
}

function undo(entries: readonly UtxoEntry[], changes: EntryChanges[]): UtxoEntry[] {
  const known = new Set(entries)
  for (const { removed, added } of changes.reverse()) {
    for (const entry of added) known.delete(entry)
    for (const entry of removed) known.add(entry)
  }
  return [...known]
}
