import type { UtxoEntry } from '../../model/utxo.js'
import type { EntryChanges } from './entry-changes.js'

/** The entries of addresses, by address. */
export type EntriesOf = (address: string) => readonly UtxoEntry[] | undefined

/** A moment in the life of mutable sets of entries. What was known then can still be read. */
export interface Moment {
  /** The entries of some addresses as they were, in no promised order. */
  entriesOf(addresses: Iterable<string>): UtxoEntry[]
}

/** What has happened to sets of entries, so far as someone may still want to know how they were. */
export interface History {
  /** Takes note of what has just been done. */
  note(changes: EntryChanges): void
  /** The moment of now; costs nothing. */
  now(): Moment
}

/**
 * A stretch of changes. Until it is closed, a moment in it is read by undoing what came after it on the sets as they are
 * now; then, on the copy that was made at its end. So whoever keeps a moment keeps one stretch alive, however long.
 */
interface Stretch {
  readonly changes: EntryChanges[]
  /** How many entries the changes name. */
  weight: number
  end: EntriesOf | null
}

/** Entries that the changes of a stretch name, at least: a copy costs as much as the sets are large, and has to be worth it. */
const SHORTEST = 1_000

/** A history of the sets of which `current` gives copies; `addresses` are those that have one. */
export function createHistory(current: EntriesOf, addresses: () => Iterable<string>): History {
  let stretch: Stretch | null = null // until someone marks a moment, nobody can look back
  let entries = 0

  const close = (closing: Stretch): void => {
    const copies = new Map(Array.from(addresses(), (address) => [address, current(address)]))
    closing.end = (address) => copies.get(address)
    stretch = null
  }
  return {
    note: (changes) => {
      entries += changes.come.length - changes.gone.length
      if (stretch === null) return
      stretch.changes.push(changes)
      stretch.weight += changes.come.length + changes.gone.length
      if (stretch.weight >= Math.max(SHORTEST, entries)) close(stretch)
    },
    now: () => momentAt((stretch ??= { changes: [], weight: 0, end: null }), current),
  }
}

function momentAt(stretch: Stretch, current: EntriesOf): Moment {
  const at = stretch.changes.length
  return {
    entriesOf: (addresses) => {
      const wanted = new Set(addresses)
      const entries = [...wanted].flatMap((address) => (stretch.end ?? current)(address) ?? [])
      const later = stretch.changes.slice(at).filter(({ address }) => wanted.has(address))
      return later.length === 0 ? entries : undo(entries, later)
    },
  }
}

/** The entries as they were before some changes. */
function undo(entries: readonly UtxoEntry[], changes: EntryChanges[]): UtxoEntry[] {
  const known = new Set(entries)
  for (const { gone, come } of changes.reverse()) {
    for (const entry of come) known.delete(entry)
    for (const entry of gone) known.add(entry)
  }
  return [...known]
}
