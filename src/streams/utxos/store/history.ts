import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { EntryChanges, PartialChanges } from './entry-changes.js'
import { EntryView } from './entry-view.js'

export type EntriesOf = (address: string) => EntryView | undefined

/** An immutable version of mutable sets of entries, readable after later changes. */
export interface SetVersion {
  /** The entries of these addresses in this version, by address. */
  viewsOf(addresses: Iterable<string>): EntryView[]
  /** The same as records, in no particular order. */
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
  const viewsOf = (addresses: Iterable<string>): EntryView[] => {
    const later = changesByAddress(segment.changes.slice(at))
    return Array.from(new Set(addresses), (address) =>
      viewBefore((segment.closedSets ?? current)(address) ?? NO_ENTRIES, later.get(address) ?? []),
    )
  }
  return { viewsOf, entriesOf: (addresses) => viewsOf(addresses).flatMap((view) => view.toArray()) }
}

const NO_ENTRIES = /*#__PURE__*/ new EntryView(null, null, 0, [])

function changesByAddress(changes: readonly EntryChanges[]): ReadonlyMap<string, readonly EntryChanges[]> {
  const byAddress = new Map<string, EntryChanges[]>()
  for (const each of changes) {
    const known = byAddress.get(each.address)
    if (known === undefined) byAddress.set(each.address, [each])
    else known.push(each)
  }
  return byAddress
}

/** The entries of an address before some changes of it, oldest first. `after`: its entries after them. */
function viewBefore(after: EntryView, changes: readonly EntryChanges[]): EntryView {
  const whole = changes.findIndex((each) => !isPartial(each))
  const replaced = changes[whole]
  const [view, later] = replaced === undefined ? [after, changes] : [allBefore(replaced), changes.slice(0, whole)]
  return later.length === 0 ? view : undo(view, later.filter(isPartial))
}

const isPartial = (changes: EntryChanges): changes is PartialChanges => changes.type === 'changed'

const allBefore = (changes: EntryChanges): EntryView => (changes.type === 'cleared' ? changes.removed : NO_ENTRIES)

/** Reduces the changes to one before it is undone: each would copy the view. */
function undo(view: EntryView, changes: readonly PartialChanges[]): EntryView {
  const outpoints = new Map<OutpointKey, Outpoint>()
  const restored = new Map<OutpointKey, UtxoEntry>()
  for (const { removed, added } of [...changes].reverse()) {
    for (const { outpoint } of added) {
      outpoints.set(toOutpointKey(outpoint), outpoint)
      restored.delete(toOutpointKey(outpoint))
    }
    for (const entry of removed) {
      outpoints.set(toOutpointKey(entry.outpoint), entry.outpoint)
      restored.set(toOutpointKey(entry.outpoint), entry)
    }
  }
  return view.change(outpoints.values(), [...restored.values()])
}
