import { Subject, type Observable } from 'rxjs'
import type { UtxoEntry } from '../../../model/utxo.js'
import { createAddressBalances } from './address-balances.js'
import {
  mergeInvalidEntries,
  type AddressSet,
  type AddressSetSubscriber,
  type EntryChanges,
  type UtxoSets,
  type InvalidEntryLog,
} from '../store/store.js'
import { isSameBalances, toBalance, type Balance, type BalanceState, type UtxoState } from './state.js'
import {
  isSameParts,
  listedAt,
  sourceOf,
  spendableOf,
  toState,
  type StateParts,
  isSameContext,
  summarize,
  type TrackerContext,
} from './state-parts.js'
import { createRunningBalance, type EntriesByAddress, type EntrySums } from './running-balance.js'
import { isSameSet, mergeEffects, type CurrentEffects } from '../unconfirmed/effects.js'

/** One tracker's address sets, their balance and their spendable entries. */
export interface View extends AddressSetSubscriber {
  readonly addressSets: ReadonlyMap<string, AddressSet>
  add(addressSet: AddressSet): void
  remove(addressSet: AddressSet): void
  /** Unsubscribes from all sets and returns them. Does not update the balance, since no state is read afterwards. */
  close(): readonly AddressSet[]
  setScore(score: bigint): void
  /** The unconfirmed transactions have changed. */
  onUnconfirmed(): void
  setContext(context: TrackerContext): void
  /** The current state; the same object where nothing has changed. */
  state(): UtxoState
  /** The current balances; the same object where nothing has changed. */
  balances(): BalanceState
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

const SPENDABLE: Derived = { matureEntries: undefined, source: undefined }
const ENTRIES: Derived = { listed: undefined, ...SPENDABLE }
const ALL: Derived = { addresses: undefined, summary: undefined, invalid: undefined, ...ENTRIES }

export function createView(
  utxoSets: UtxoSets,
  effects: CurrentEffects,
  { coinbaseMaturity, mempoolInterval }: ViewSettings,
): View {
  const addressSets = new Map<string, AddressSet>()
  const runningBalance = createRunningBalance(coinbaseMaturity)
  const addressBalances = createAddressBalances({ sumsOf: runningBalance.sumsOf, toBalance: withoutSpent })
  const changed$ = new Subject<void>()
  const ahead$ = new Subject<void>()
  let spent: ReadonlySet<UtxoEntry> = new Set()
  let context: TrackerContext = { node: 'synced', addressError: null, connectionError: null }
  let derived: Derived = {}
  let latest: { readonly parts: StateParts; readonly state: UtxoState } | null = null
  let latestBalances: BalanceState | null = null

  const invalidate = (stale: Derived): void => {
    derived = { ...derived, ...stale }
    changed$.next()
  }
  function parts(): StateParts {
    const addresses = derived.addresses ?? [...addressSets.keys()]
    const listed = derived.listed ?? listedAt(utxoSets.currentVersion(), addresses)
    const merged = mergeEffects(effects.current(), addressSets)
    if (!isSameSet(spent, merged.spent)) {
      spent = merged.spent
      derived = { ...derived, ...SPENDABLE }
    }
    const rule = { score: runningBalance.score, coinbaseMaturity, spent }
    return {
      addresses,
      summary: derived.summary ?? summarize(addressSets.values(), context),
      balance: withoutSpent(runningBalance.sums, spent, merged.unconfirmed),
      listed,
      matureEntries: derived.matureEntries ?? spendableOf(listed, rule),
      source: derived.source ?? sourceOf(listed, rule),
      invalid: derived.invalid ?? mergeInvalidEntries(invalidLogs(addressSets.values())),
    }
  }
  function withoutSpent(all: EntrySums, among: Iterable<UtxoEntry>, unconfirmed: bigint): Balance {
    const { mature, immature, bound } = runningBalance.sumsAmong(among)
    const remaining = { mature: all.mature - mature, immature: all.immature - immature, bound: all.bound - bound }
    return toBalance({ ...remaining, unconfirmed })
  }
  function balances(): BalanceState {
    const next = parts()
    derived = next
    const { balance, summary } = next
    return { ...summary, asOf: null, balance, byAddress: addressBalances(addressSets, effects.current()) }
  }
  const apply = (changes: EntryChanges): void => {
    if (runningBalance.apply(changes) === 'ahead') ahead$.next()
  }
  function* trackedEntries(): EntriesByAddress {
    for (const { address, entries } of addressSets.values()) yield [address, entries.view()]
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
    balances: () => {
      const next = balances()
      if (latestBalances === null || !isSameBalances(latestBalances, next)) latestBalances = next
      return latestBalances
    },
    add: (addressSet) => {
      addressSets.set(addressSet.address, addressSet)
      addressSet.subscribers.add(view)
      effects.invalidate()
      apply({ type: 'loaded', address: addressSet.address, removed: [], added: addressSet.entries.view() })
      invalidate(ALL)
    },
    remove: (addressSet) => {
      addressSets.delete(addressSet.address)
      addressSet.subscribers.delete(view)
      apply({ type: 'cleared', address: addressSet.address, removed: addressSet.entries.view(), added: [] })
      invalidate(ALL)
    },
    close: () => {
      const closed = [...addressSets.values()]
      for (const addressSet of closed) addressSet.subscribers.delete(view)
      addressSets.clear()
      return closed
    },
    setScore: (score) => {
      if (runningBalance.setScore(score, trackedEntries) === 'changed') invalidate(SPENDABLE)
    },
    onUnconfirmed: () => changed$.next(),
    setContext: (next) => {
      if (isSameContext(context, next)) return
      context = next
      invalidate({ summary: undefined })
    },
    onEntries: (changes) => {
      // no node has reported it: only reported changes renew the effects
      if (changes.type === 'cleared') effects.invalidate()
      apply(changes)
      invalidate(ENTRIES)
    },
    onPhase: () => invalidate({ summary: undefined }),
    onInvalid: () => invalidate({ invalid: undefined }),
  }
  return view
}

function* invalidLogs(addressSets: Iterable<AddressSet>): Iterable<InvalidEntryLog> {
  for (const { invalid } of addressSets) yield invalid
}
