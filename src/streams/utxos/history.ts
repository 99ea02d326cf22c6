import type { UtxoEntry } from '../../model/utxo.js'
import type { EntryChange } from './entry-changes.js'

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
  note(changes: readonly EntryChange[]): void
  /** The moment of now; costs nothing. */
  now(): Moment
}

/**
 * A stretch of changes. Until it is closed, a moment in it is read by undoing what came after it on the sets as they are
 * now; then, on the copy that was made at its end. So whoever keeps a moment keeps one stretch alive, however long.
 */
interface Stretch {
  readonly changes: EntryChange[]
  end: EntriesOf | null
}

/** Changes in a stretch, at least: a copy costs as much as the sets are large, and has to be worth it. */
const SHORTEST = 1_000

/** A history of the sets of which `current` gives copies; `addresses` are those that have one. */
export function createHistory(current: EntriesOf, addresses: () => Iterable<string>): History {
  let stretch: Stretch = { changes: [], end: null }
  let entries = 0

  const close = (): void => {
    const copies = new Map(Array.from(addresses(), (address) => [address, current(address)]))
    stretch.end = (address) => copies.get(address)
    stretch = { changes: [], end: null }
  }
  return {
    note: (changes) => {
      for (const change of changes) {
        entries += Number(change.after !== undefined) - Number(change.before !== undefined)
        stretch.changes.push(change)
      }
      if (stretch.changes.length >= Math.max(SHORTEST, entries)) close()
    },
    now: () => momentAt(stretch, current),
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
function undo(entries: readonly UtxoEntry[], changes: EntryChange[]): UtxoEntry[] {
  const known = new Set(entries)
  for (const { before, after } of changes.reverse()) {
    if (after !== undefined) known.delete(after)
    if (before !== undefined) known.add(before)
  }
  return [...known]
}
