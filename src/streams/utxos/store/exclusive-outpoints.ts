import { outpointAt } from '../../../model/utxo-columns/outpoint-filter.js'
import { selectRecords } from '../../../model/utxo-columns/records.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { AddressSet } from './address-set.js'
import { ColumnIndex } from './column-index.js'
import type { EntryView } from './entry-view.js'
import type { OutpointHash } from './outpoint-hash.js'
import { SetIndex } from './outpoint-map.js'
import type { AddressEntries } from './snapshot.js'

/** The entries of a report, by whether another set has their outpoints. */
export interface Claimed<Entries extends AddressEntries> {
  /** Those that no other set has. */
  readonly entries: Entries | readonly UtxoEntry[]
  /** The outpoints of the others. */
  readonly refused: readonly Outpoint[]
  /** The outpoints that other sets lose. */
  readonly taken: ReadonlyMap<AddressSet, readonly Outpoint[]>
}

/** One address per outpoint: an output has one script, so a second address of it is false, or the first one was. */
export interface ExclusiveOutpoints {
  /**
   * Claims the outpoints of a snapshot or a notification for a set. One that another set has stays there, unless that
   * set was loaded earlier and has to be fetched again: then that set loses it.
   */
  claim<Entries extends AddressEntries>(addressSet: AddressSet, entries: Entries): Claimed<Entries>
  /** Allocates what the claims of so many outpoints need, at once. */
  reserve(count: number): void
  /** Releases those of some outpoints that a set no longer has. */
  release(addressSet: AddressSet, removed: readonly Pick<UtxoEntry, 'outpoint'>[]): void
  /** Releases the outpoints of a set that was cleared. */
  releaseAll(addressSet: AddressSet, removed: EntryView): void
  /** To be called once the set is removed. */
  readonly forget: (addressSet: AddressSet) => void
}

export interface ExclusiveDeps {
  readonly hash: OutpointHash
  readonly sets: ReadonlyMap<string, AddressSet>
  /** Whether the entries of a set were loaded earlier and have to be fetched again. */
  readonly isOutdated: (addressSet: AddressSet) => boolean
}

export function createExclusiveOutpoints({ hash, sets, isOutdated }: ExclusiveDeps): ExclusiveOutpoints {
  const index = new SetIndex()
  /** The sets by their numbers in `index`; empty while there is a single one, which needs no comparison. */
  const numbers = new Map<AddressSet, number>()
  const byNumber: (AddressSet | undefined)[] = []
  const free: number[] = []

  function numberOf(addressSet: AddressSet): number {
    const known = numbers.get(addressSet)
    if (known !== undefined) return known
    const number = free.pop() ?? byNumber.length
    numbers.set(addressSet, number)
    byNumber[number] = addressSet
    return number
  }

  /** Records what the sets have already. */
  function start(): void {
    for (const addressSet of sets.values()) {
      const number = numberOf(addressSet)
      addressSet.entries.view().eachHash(hash, (each) => index.claim(each, number, NEVER))
    }
  }

  function reset(): void {
    index.clear()
    numbers.clear()
    byNumber.length = 0
    free.length = 0
  }

  function claim<Entries extends AddressEntries>(addressSet: AddressSet, entries: Entries): Claimed<Entries> {
    const number = numberOf(addressSet)
    const outpoint = outpointsOf(entries)
    const taken = new Map<AddressSet, Outpoint[]>()
    /** Called for few rows: those whose hash another set has. */
    const hasRow = (row: number, other: number): boolean => {
      const set = byNumber[other]
      const wanted = outpoint(row)
      if (set?.entries.has(wanted) !== true) return false
      if (!isOutdated(set)) return true
      const lost = taken.get(set)
      if (lost === undefined) taken.set(set, [wanted])
      else lost.push(wanted)
      return false
    }
    const rows = index.claimRows(hashesOf(entries, hash), number, hasRow)
    const refused = new Map(rows.map((row) => [row, outpoint(row)]))
    if (refused.size === 0) return { entries, refused: [], taken }
    return { entries: without(entries, refused), refused: [...refused.values()], taken }
  }

  return {
    claim: (addressSet, entries) => {
      if (sets.size < 2) {
        if (numbers.size > 0) reset() // these entries are not recorded: a second set records all again
        return { entries, refused: [], taken: NOTHING_TAKEN }
      }
      if (numbers.size === 0) start()
      return claim(addressSet, entries)
    },
    reserve: (count) => {
      if (sets.size > 1) index.reserve(count)
    },
    release: (addressSet, removed) => {
      const number = numbers.get(addressSet)
      if (number === undefined) return
      for (const { outpoint } of removed) if (!addressSet.entries.has(outpoint)) index.release(hash(outpoint), number)
    },
    releaseAll: (addressSet, removed) => {
      const number = numbers.get(addressSet)
      if (number !== undefined) removed.eachHash(hash, (each) => index.release(each, number))
    },
    forget: (addressSet) => {
      const number = numbers.get(addressSet)
      if (number === undefined) return
      numbers.delete(addressSet)
      byNumber[number] = undefined
      free.push(number)
    },
  }
}

const NEVER = (): boolean => false
const NOTHING_TAKEN: Claimed<AddressEntries>['taken'] = /*#__PURE__*/ new Map()

const hashesOf = (entries: AddressEntries, hash: OutpointHash): Int32Array =>
  entries instanceof ColumnIndex ? entries.hashes() : Int32Array.from(entries, ({ outpoint }) => hash(outpoint))

/** The outpoints of a report, by row. */
function outpointsOf(entries: AddressEntries): (row: number) => Outpoint {
  if (entries instanceof ColumnIndex) return (row) => outpointAt(entries.columns, row)
  return (row) => entries[row]?.outpoint ?? { transactionId: '', index: 0 }
}

function without(entries: AddressEntries, rows: ReadonlyMap<number, Outpoint>): readonly UtxoEntry[] {
  if (entries instanceof ColumnIndex) return selectRecords(entries.columns, (row) => !rows.has(row))
  return entries.filter((_, row) => !rows.has(row))
}
