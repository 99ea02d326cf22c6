import { toScriptPublicKey } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import {
  UNLOADED,
  type AddressPhase,
  type MempoolPhase,
  isUnplaced,
  reduceAddressPhase,
  type AddressEvent,
} from './address-phase.js'
import type { EntryChanges } from './entry-changes.js'
import { EntrySet } from './entry-set.js'
import { InvalidEntryLog } from './invalid-entries.js'
import type { OutpointHash } from './outpoint-hash.js'
import { Subject, type Observable } from 'rxjs'
import { bufferedSize } from './delta.js'

/** UTXO set of one address. Mutable and shared by all its subscribers. */
export interface AddressSet {
  readonly address: string
  /** The script that the address encodes. */
  readonly script: ScriptPublicKey
  readonly entries: EntrySet
  /** Sum of the entries, in sompi. */
  total: bigint
  /** The host of the node that reported the entries. */
  host: string
  /** Reported entries that are not in `entries`. */
  readonly invalid: InvalidEntryLog
  mempool: MempoolPhase
  readonly subscribers: Set<AddressSetSubscriber>
  phase: AddressPhase
}

/** Notified of every change in its address sets. */
export interface AddressSetSubscriber {
  /** Ms between two mempool reads; 0 for never. */
  readonly mempoolInterval: number
  onEntries(changes: EntryChanges): void
  onPhase(addressSet: AddressSet, before: AddressPhase): void
  /** The invalid entries have changed. */
  onInvalid(): void
}

export const createAddressSet = (address: string, hash: OutpointHash, nextOrder: () => number): AddressSet => ({
  address,
  script: toScriptPublicKey(address),
  entries: new EntrySet(hash),
  total: 0n,
  host: '',
  invalid: new InvalidEntryLog(nextOrder),
  mempool: 'unread',
  subscribers: new Set(),
  phase: UNLOADED,
})

/** The phases of the address sets, and the sets that wait in them. */
interface Phases {
  /** Sets without a confirmed subscription. */
  readonly unplaced: ReadonlySet<AddressSet>
  /** Sets that need a snapshot. */
  readonly due: ReadonlySet<AddressSet>
  /** Emits each set whose phase has changed, synchronously. */
  readonly changed$: Observable<AddressSet>
  /** Emits when too many notifications have arrived during a fetch: the sets that were being fetched are due again. */
  readonly overflowed$: Observable<void>
  readonly dispatch: (addressSet: AddressSet, event: AddressEvent) => void
  /** To be called once a set is added, and once it is removed: a response that is still pending is ignored then. */
  add(addressSet: AddressSet): void
  remove(addressSet: AddressSet): void
  /** To be called after a notification was dispatched. */
  limitBuffer(): void
}

/** Maximum number of entries in the notifications buffered during a fetch; beyond it the fetch starts again. */
export const MAX_BUFFERED = 200_000

/** `all`: the address sets. */
export function createPhases(all: ReadonlyMap<string, AddressSet>): Phases {
  const unplaced = new Set<AddressSet>()
  const due = new Set<AddressSet>()
  const changed$ = new Subject<AddressSet>()
  const overflowed$ = new Subject<void>()
  let buffered = 0

  function setPhase(addressSet: AddressSet, phase: AddressPhase): void {
    buffered += sizeOf(phase) - sizeOf(addressSet.phase)
    addressSet.phase = phase
  }

  function updateIndexes(addressSet: AddressSet): void {
    unplaced[isUnplaced(addressSet.phase) ? 'add' : 'delete'](addressSet)
    due[addressSet.phase.step === 'due' ? 'add' : 'delete'](addressSet)
  }

  function dispatch(addressSet: AddressSet, event: AddressEvent): void {
    const before = addressSet.phase
    setPhase(addressSet, reduceAddressPhase(before, event))
    if (addressSet.phase === before) return
    updateIndexes(addressSet)
    for (const subscriber of addressSet.subscribers) subscriber.onPhase(addressSet, before)
    changed$.next(addressSet)
  }

  return {
    unplaced,
    due,
    changed$,
    overflowed$,
    dispatch,
    add: updateIndexes,
    remove: (addressSet) => {
      setPhase(addressSet, UNLOADED)
      unplaced.delete(addressSet)
      due.delete(addressSet)
    },
    limitBuffer: () => {
      if (buffered <= MAX_BUFFERED) return
      const fetching = [...all.values()].filter(({ phase }) => phase.step === 'fetching')
      for (const addressSet of fetching) dispatch(addressSet, { type: 'invalidated' })
      overflowed$.next()
    },
  }
}

const sizeOf = (phase: AddressPhase): number => (phase.step === 'fetching' ? bufferedSize(phase.deltas) : 0)
