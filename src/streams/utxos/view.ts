import { Subject, type Observable } from 'rxjs'
import { parseOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { AddressSet, AddressSetSubscriber } from './address-set.js'
import type { EntryChanges } from './entry-changes.js'
import type { UtxoSets } from './utxo-sets.js'
import { incomingTotal } from './incoming.js'
import { mergeInvalidEntries } from './invalid-entries.js'
import { entriesAt, isSameParts, spendableOf, toState, type StateParts } from './state-parts.js'
import type { UtxoState } from './state.js'
import { isSameContext, summarize, type TrackerContext } from './summary.js'
import { createRunningBalance } from './running-balance.js'

/** One tracker's address sets, their balance and their spendable entries. */
export interface View extends AddressSetSubscriber {
  readonly addressSets: ReadonlyMap<string, AddressSet>
  add(addressSet: AddressSet): void
  remove(addressSet: AddressSet): void
  /** Unsubscribes from all sets and returns them. Does not update the balance, since no state is read afterwards. */
  close(): readonly AddressSet[]
  setScore(score: bigint): void
  setReserved(reserved: ReadonlySet<OutpointKey>): void
  setContext(context: TrackerContext): void
  /** The current state; the same object where nothing has changed. */
  state(): UtxoState
  /** Emits after each change that may affect `state()`. */
  readonly changed$: Observable<void>
  /** Emits when an entry of a block with a higher DAA score than the last known one is added. */
  readonly ahead$: Observable<void>
}

export interface ViewSettings {
  readonly coinbaseMaturity: bigint
  readonly mempoolInterval: number
}

/** Cached results; undefined where they have to be computed again. */
type Derived = { readonly [Part in Exclude<keyof StateParts, 'balance'>]?: StateParts[Part] | undefined }

const ALL: Derived = {
  addresses: undefined,
  summary: undefined,
  entries: undefined,
  matureEntries: undefined,
  invalid: undefined,
}

export function createView(utxoSets: UtxoSets, { coinbaseMaturity, mempoolInterval }: ViewSettings): View {
  const addressSets = new Map<string, AddressSet>()
  const runningBalance = createRunningBalance(coinbaseMaturity)
  const changed$ = new Subject<void>()
  const ahead$ = new Subject<void>()
  let reserved: ReadonlySet<OutpointKey> = new Set()
  let context: TrackerContext = { node: 'synced', addressError: null, connectionError: null }
  let derived: Derived = {}
  let latest: { readonly parts: StateParts; readonly state: UtxoState } | null = null

  const invalidate = (stale: Derived): void => {
    derived = { ...derived, ...stale }
    changed$.next()
  }
  function parts(): StateParts {
    const addresses = derived.addresses ?? [...addressSets.keys()]
    const entries = derived.entries ?? entriesAt(utxoSets.currentVersion(), addresses)
    const rule = { score: runningBalance.score, coinbaseMaturity, reserved }
    return {
      addresses,
      summary: derived.summary ?? summarize(addressSets.values(), context),
      balance: runningBalance.balance(),
      entries,
      matureEntries: derived.matureEntries ?? spendableOf(entries, rule),
      invalid: derived.invalid ?? mergeInvalidEntries(Array.from(addressSets.values(), ({ invalid }) => invalid)),
    }
  }
  const apply = (changes: Pick<EntryChanges, 'removed' | 'added'>): void => {
    if (runningBalance.apply(changes) === 'ahead') ahead$.next()
  }
  function* trackedEntries(): Iterable<UtxoEntry> {
    for (const { entries } of addressSets.values()) yield* entries.values()
  }
  const isTracked = (key: OutpointKey): boolean => {
    const outpoint = parseOutpointKey(key)
    for (const { entries } of addressSets.values()) if (entries.get(outpoint) !== undefined) return true
    return false
  }
  /** Without mempool polling, incoming payments are not counted. */
  const countIncoming = (amount: bigint): void => {
    if (mempoolInterval > 0) runningBalance.addIncoming(amount)
  }

  const view: View = {
    mempoolInterval,
    addressSets,
    changed$,
    ahead$,
    state: () => {
      const next = parts()
      derived = next
      if (latest === null || !isSameParts(latest.parts, next)) latest = { parts: next, state: toState(next) }
      return latest.state
    },
    add: (addressSet) => {
      addressSets.set(addressSet.address, addressSet)
      addressSet.subscribers.add(view)
      apply({ removed: [], added: addressSet.entries.values() })
      countIncoming(incomingTotal(addressSet))
      invalidate(ALL)
    },
    remove: (addressSet) => {
      addressSets.delete(addressSet.address)
      addressSet.subscribers.delete(view)
      apply({ removed: addressSet.entries.values(), added: [] })
      countIncoming(-incomingTotal(addressSet))
      invalidate(ALL)
    },
    close: () => {
      const closed = [...addressSets.values()]
      for (const addressSet of closed) addressSet.subscribers.delete(view)
      addressSets.clear()
      return closed
    },
    setScore: (score) => {
      if (runningBalance.setScore(score, trackedEntries) === 'changed') invalidate({ matureEntries: undefined })
    },
    setReserved: (next) => {
      const isAffected = differences(reserved, next).some(isTracked)
      reserved = next
      if (isAffected) invalidate({ matureEntries: undefined })
    },
    setContext: (next) => {
      if (isSameContext(context, next)) return
      context = next
      invalidate({ summary: undefined })
    },
    onEntries: (changes) => {
      apply(changes)
      invalidate({ entries: undefined, matureEntries: undefined })
    },
    onIncoming: (amount) => {
      if (mempoolInterval === 0) return
      countIncoming(amount)
      invalidate({})
    },
    onPhase: () => invalidate({ summary: undefined }),
    onInvalid: () => invalidate({ invalid: undefined }),
  }
  return view
}

/** Symmetric difference. */
const differences = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [
  ...[...a].filter((one) => !b.has(one)),
  ...[...b].filter((one) => !a.has(one)),
]
