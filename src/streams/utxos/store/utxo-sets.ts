import { Subject, type Observable } from 'rxjs'
import { toScriptKey, type ScriptPublicKey } from '../../../model/utxo.js'
import { createAddressSet, type AddressSet, createPhases } from './address-set.js'
import type { AddressEvent } from './address-phase.js'
import { createReports, type OnInvalidEntries } from './apply-reports.js'
import { groupByAddress, toDeltas, type Delta, createRecentDeltas, isOutOfOrder } from './delta.js'
import type { EntryChanges } from './entry-changes.js'
import { createHistory, type SetVersion } from './history.js'
import { createOutpointHash } from './outpoint-hash.js'
import {
  countEntries,
  prepareSnapshot,
  type AddressSnapshot,
  type PreparedSnapshot,
  type Snapshot,
} from './snapshot.js'
import type { Steps } from '../../../loading/steps.js'

/** The UTXO sets of all tracked addresses, one per address, shared by its subscribers. */
export interface UtxoSets {
  readonly all: ReadonlyMap<string, AddressSet>
  /** The set of the address that a script belongs to. */
  ofScript(script: ScriptPublicKey): AddressSet | undefined
  /** The current version; its entries can be read after later changes. */
  readonly currentVersion: () => SetVersion
  /** Sets without a confirmed subscription. */
  readonly unplaced: ReadonlySet<AddressSet>
  /** Sets that need a snapshot. */
  readonly due: ReadonlySet<AddressSet>
  /** The set of an address; created if absent. */
  open(address: string): AddressSet
  remove(addressSet: AddressSet): void
  /** Removes all entries, which have turned out to be of another network. */
  readonly clear: () => void
  dispatch(addressSet: AddressSet, event: AddressEvent): void
  /** Emits each set whose phase has changed, synchronously. */
  readonly phaseChanged$: Observable<AddressSet>
  /** Sets the host of the node that reports from now on. */
  readonly setHost: (host: string) => void
  /** Emits the changes after a notification or a snapshot, synchronously. */
  readonly applied$: Observable<Applied>
  /** Emits when too many notifications have arrived during a fetch: the sets that were being fetched are due again. */
  readonly overflowed$: Observable<void>
  /** Applies a notification; returns the sets in which it was inconsistent. */
  apply(delta: Delta): readonly AddressSet[]
  /** Emits a set whose changes have to be merged with its columns, after the changes. */
  readonly mergeDue$: Observable<AddressSet>
  /** Checks and indexes a snapshot, in steps of some ms each. */
  prepare(snapshot: Snapshot): Steps<PreparedSnapshot>
  /** Loads a snapshot of some sets, and applies the notifications received since the request. */
  load(addressSets: readonly AddressSet[], snapshot: PreparedSnapshot): void
}

export interface UtxoSetsOptions {
  /** A secret number prevents others from choosing outpoints that collide. */
  readonly seed?: number
  readonly onInvalid?: OnInvalidEntries
}

/** The changes of all sets by one notification, or by one snapshot. */
export interface Applied {
  readonly from: 'notification' | 'snapshot'
  readonly changes: readonly EntryChanges[]
}

export function createUtxoSets({ seed = 0, onInvalid = () => undefined }: UtxoSetsOptions = {}): UtxoSets {
  const all = new Map<string, AddressSet>()
  const byScript = new Map<string, AddressSet>()
  const phases = createPhases(all)
  const applied$ = new Subject<Applied>()
  const mergeDue$ = new Subject<AddressSet>()
  const hash = createOutpointHash(seed)
  const recent = createRecentDeltas(hash)
  const history = createHistory(
    (address) => all.get(address)?.entries.view(),
    () => all.keys(),
  )
  const reports = createReports({
    hash,
    sets: all,
    isOutdated: ({ phase }) => phase.step !== 'live',
    onChanges: history.record,
    onReported: (changes) => reported.push(changes),
    onInvalid,
  })
  let reported: EntryChanges[] = []
  let invalidEntries = 0

  function publishReported(from: Applied['from']): void {
    const changes = reported.filter(({ removed, added }) => removed.length + added.length > 0)
    reported = []
    if (changes.length > 0) applied$.next({ from, changes })
  }

  function publishMergeDue(changed: readonly AddressSet[]): void {
    for (const addressSet of changed) if (addressSet.entries.isMergeDue) mergeDue$.next(addressSet)
  }

  return {
    all,
    ofScript: (script) => byScript.get(toScriptKey(script)),
    unplaced: phases.unplaced,
    due: phases.due,
    currentVersion: () => history.currentVersion(),
    setHost: reports.setHost,
    overflowed$: phases.overflowed$,
    applied$,
    mergeDue$,
    open: (address) => {
      const known = all.get(address)
      if (known !== undefined) return known
      const addressSet = createAddressSet(address, hash, () => invalidEntries++)
      all.set(address, addressSet)
      byScript.set(toScriptKey(addressSet.script), addressSet)
      phases.add(addressSet)
      return addressSet
    },
    remove: (addressSet) => {
      reports.clear(addressSet)
      phases.remove(addressSet)
      all.delete(addressSet.address)
      reports.forget(addressSet)
      byScript.delete(toScriptKey(addressSet.script))
    },
    clear: () => {
      for (const addressSet of all.values()) {
        reports.clear(addressSet)
        for (const subscriber of addressSet.subscribers) subscriber.onInvalid()
        phases.dispatch(addressSet, { type: 'cleared' })
      }
    },
    dispatch: phases.dispatch,
    phaseChanged$: phases.changed$,
    apply: (delta) => {
      const inconsistent: AddressSet[] = []
      const order = recent.record(delta)
      const changed: AddressSet[] = []
      for (const [address, part] of groupByAddress(delta)) {
        const addressSet = all.get(address)
        if (addressSet === undefined) continue
        phases.dispatch(addressSet, { type: 'notified', delta: part, order })
        if (addressSet.phase.content !== 'loaded') continue
        changed.push(addressSet)
        if (reports.applyDelta(addressSet, part) === 'inconsistent' || order === 'inconsistent')
          inconsistent.push(addressSet)
      }
      publishReported('notification')
      phases.limitBuffer()
      publishMergeDue(changed)
      return inconsistent
    },
    prepare: (snapshot) => prepareSnapshot(snapshot, all, hash),
    load: (addressSets, snapshot) => {
      reports.expect(countEntries(snapshot))
      for (const addressSet of addressSets) {
        if (addressSet.phase.step !== 'fetching') continue // invalidated meanwhile: another fetch is due
        const buffered = addressSet.phase.deltas
        const deltas = toDeltas(buffered)
        reports.applySnapshot(addressSet, snapshot.get(addressSet.address) ?? NO_ENTRIES)
        // inconsistencies are expected: the snapshot may contain a part of the deltas
        for (const delta of deltas) reports.applyDelta(addressSet, delta)
        phases.dispatch(addressSet, { type: 'fetched' })
        // one of them may be older than what the node had notified before the fetch, and older than the snapshot
        if (buffered?.order === 'inconsistent' || isOutOfOrder(deltas, hash))
          phases.dispatch(addressSet, { type: 'invalidated' })
      }
      publishReported('snapshot')
      publishMergeDue(addressSets)
    },
  }
}

const NO_ENTRIES: AddressSnapshot = { entries: [], invalid: [], sum: 0n }
