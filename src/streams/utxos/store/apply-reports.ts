import { MAX_SOMPI } from '../../../model/amount.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { Delta } from './delta.js'
import type { AddressSet } from './address-set.js'
import { REMEMBERED, createAmountClaims, type AmountCheck, type ReportSource } from './amount-claims.js'
import { createExclusiveOutpoints } from './exclusive-outpoints.js'
import { applyDelta, replaceEntries, type DeltaOutcome, type EntryChanges } from './entry-changes.js'
import { type InvalidEntry, validateEntries, type Validated } from './invalid-entries.js'
import type { OutpointHash } from './outpoint-hash.js'
import { limitToSupply, type AddressEntries, type AddressSnapshot } from './snapshot.js'

/** Applies what nodes report to the UTXO sets, without the entries that cannot exist. */
export interface Reports {
  /** Sets the host of the node that reports from now on. */
  readonly setHost: (host: string) => void
  /** To be called before the snapshots of several sets, with the number of their entries. */
  readonly expect: (count: number) => void
  applySnapshot(addressSet: AddressSet, snapshot: AddressSnapshot): void
  applyDelta(addressSet: AddressSet, delta: Delta): DeltaOutcome['consistency']
  /** Removes all entries. */
  clear(addressSet: AddressSet): void
  /** To be called once the set is removed. */
  readonly forget: (addressSet: AddressSet) => void
}

export interface ReportsDeps {
  readonly hash: OutpointHash
  /** All sets, by address. */
  readonly sets: ReadonlyMap<string, AddressSet>
  /** Whether the entries of a set were loaded earlier and have to be fetched again. */
  readonly isOutdated: (addressSet: AddressSet) => boolean
  readonly onChanges: (changes: EntryChanges) => void
  /** Called with the changes that a node has reported, unlike those of a set that is cleared. */
  readonly onReported: (changes: EntryChanges) => void
  /** Called with the invalid entries of each report. */
  readonly onInvalid: OnInvalidEntries
}

export type OnInvalidEntries = (address: string, invalid: readonly InvalidEntry[]) => void

export function createReports({ hash, sets, isOutdated, onChanges, onReported, onInvalid }: ReportsDeps): Reports {
  const claims = createAmountClaims(hash)
  const exclusive = createExclusiveOutpoints({ hash, sets, isOutdated })
  let host = ''
  let total = 0n

  /** Notifies subscribers of changes already applied. */
  function publish(addressSet: AddressSet, changes: EntryChanges, difference = sumOf(changes)): void {
    if (changes.removed.length === 0 && changes.added.length === 0) return
    addressSet.total += difference
    total += difference
    claims.remember(latestRemoved(changes), addressSet.host)
    if (changes.type === 'cleared') exclusive.releaseAll(addressSet, changes.removed)
    else exclusive.release(addressSet, changes.removed)
    onChanges(changes)
    for (const subscriber of addressSet.subscribers) subscriber.onEntries(changes)
  }

  /** Adds the conflicts that it finds to `conflicts`. */
  function checkOf(addressSet: AddressSet, kind: ReportSource['kind'], conflicts: InvalidEntry[]): AmountCheck {
    const { isEmpty, hasConflicts, accepts } = claims.check({ kind, host, previousHost: addressSet.host })
    return {
      isEmpty,
      hasConflicts,
      accepts: (entry, before) => {
        const isAccepted = accepts(entry, before)
        if (!isAccepted) conflicts.push({ outpoint: entry.outpoint, reason: 'conflict' })
        return isAccepted
      },
    }
  }

  function report(addressSet: AddressSet, invalid: readonly InvalidEntry[]): void {
    for (const entry of invalid) addressSet.invalid.add(entry)
    if (invalid.length > 0) onInvalid(addressSet.address, invalid)
    for (const subscriber of addressSet.subscribers) subscriber.onInvalid()
  }

  const clear = (addressSet: AddressSet): void => {
    const removed = addressSet.entries.view()
    addressSet.entries.clear()
    publish(addressSet, { type: 'cleared', address: addressSet.address, removed, added: [] })
  }

  /**
   * Beside entries of earlier connections, which may be false, a snapshot may exceed the supply: then those are
   * removed.
   */
  function withinSupply(addressSet: AddressSet, snapshot: AddressSnapshot): AddressSnapshot {
    const available = (): bigint => MAX_SOMPI - total + addressSet.total
    if (snapshot.sum <= available()) return snapshot
    for (const other of sets.values()) if (other !== addressSet && isOutdated(other)) clear(other)
    return limitToSupply(snapshot, addressSet.script, available())
  }

  /** The entries that no other set has; an earlier connection's false ones may be in sets that are fetched again. */
  function claim<Entries extends AddressEntries>(addressSet: AddressSet, reported: Entries) {
    const { entries, refused, taken } = exclusive.claim(addressSet, reported)
    for (const [other, outpoints] of taken) {
      const removed = outpoints.map((outpoint) => other.entries.remove(outpoint)).filter((entry) => entry !== undefined)
      publish(other, { type: 'changed', address: other.address, removed, added: [] })
    }
    return { entries, invalid: refused.map((outpoint): InvalidEntry => ({ outpoint, reason: 'script' })) }
  }

  return {
    setHost: (next) => {
      host = next
    },
    expect: (count) => exclusive.reserve(count),
    applySnapshot: (addressSet, snapshot) => {
      const { address, entries, invalid: log } = addressSet
      const hadInvalid = log.count > 0
      const { entries: reported, invalid, sum, matches } = withinSupply(addressSet, snapshot)
      const claimed = claim(addressSet, reported)
      const conflicts: InvalidEntry[] = []
      log.clear()
      const check = checkOf(addressSet, 'snapshot', conflicts)
      const changes = replaceEntries(address, entries, claimed.entries, check, matches)
      publish(addressSet, changes, changes.type === 'loaded' && claimed.invalid.length === 0 ? sum : undefined)
      exclusive.release(addressSet, conflicts)
      onReported(changes)
      addressSet.host = host
      const unused = [...invalid, ...claimed.invalid, ...conflicts]
      if (hadInvalid || unused.length > 0) report(addressSet, unused)
    },
    applyDelta: (addressSet, { removed, added }) => {
      const { address, entries, invalid: log } = addressSet
      const hadInvalid = log.count > 0
      const validated = validateEntries(added, addressSet.script, MAX_SOMPI - total)
      const conflicts: InvalidEntry[] = []
      if (hadInvalid) for (const { outpoint } of removed) log.remove(outpoint)
      const check = checkOf(addressSet, 'delta', conflicts)
      const claimed = claim(addressSet, validated.valid)
      const { changes, consistency } = applyDelta(address, entries, removed, claimed.entries, check)
      publish(addressSet, changes)
      exclusive.release(addressSet, conflicts)
      onReported(changes)
      const invalid = [...validated.invalid, ...claimed.invalid, ...conflicts]
      if (hadInvalid || invalid.length > 0) report(addressSet, invalid)
      // a snapshot has the exact sum: here the removed entries still count
      return exceedsSupply(validated) ? 'inconsistent' : consistency
    },
    clear: (addressSet) => {
      clear(addressSet)
      addressSet.invalid.clear()
    },
    forget: exclusive.forget,
  }
}

/** By how much changes raise the sum of the entries, in sompi. */
function sumOf(changes: EntryChanges): bigint {
  switch (changes.type) {
    case 'loaded':
      return changes.added.sum()
    case 'cleared':
      return -changes.removed.sum()
    case 'changed': {
      const added = changes.added.reduce((sum, { amount }) => sum + amount, 0n)
      return changes.removed.reduce((sum, { amount }) => sum - amount, added)
    }
  }
}

const latestRemoved = (changes: EntryChanges): readonly UtxoEntry[] =>
  changes.type === 'cleared' ? changes.removed.first(REMEMBERED) : changes.removed.slice(-REMEMBERED)

const exceedsSupply = ({ invalid }: Validated): boolean => invalid.some(({ reason }) => reason === 'supply')
