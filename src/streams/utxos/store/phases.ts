import { Subject, type Observable } from 'rxjs'
import type { AddressSet } from './address-set.js'
import { UNLOADED, isUnplaced, reduceAddressPhase, type AddressEvent, type AddressPhase } from './address-phase.js'
import { bufferedSize } from './delta.js'

/** The phases of the address sets, and the sets that wait in them. */
export interface Phases {
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
