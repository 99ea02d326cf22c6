import { NEVER, Subject, audit, concatMap, defer, endWith, filter, finalize, firstValueFrom, from } from 'rxjs'
import { ignoreElements, merge, pairwise, takeUntil, tap, timer, type Observable } from 'rxjs'
import { toWriteDelay } from '../../model/last-state/summary.js'
import type { ChainNetwork } from '../../model/network.js'
import type { AwaitUtxos } from '../../model/utxo-source/awaited.js'
import { createBrowserTabs } from '../../platform/tabs.js'
import { shareLatest } from '../../streams/share-latest.js'
import type { BalanceState, UtxoState, UtxoTracker } from '../../streams/utxos/view/state.js'
import type { CoreParts } from '../core-parts.js'
import { FollowedSets, type FollowedSet, readLive, type LiveStates } from './followed-sets.js'
import { restoredBalances, restoredUtxos, type Restored, showRestored, type RestoreRules } from './restored.js'
import { toForgetChannel } from './state-database.js'
import { StoredStates } from './stored-states.js'

/** How long, in ms, a payment waits for the first snapshot. */
const SNAPSHOT_LIMIT = 60_000

/** The states of trackers, restored until they are live, and stored while they are fresh. */
export interface LastStates {
  /** `given$`: the addresses as the caller gives them. */
  readonly utxos$: (tracker: UtxoTracker, given$: Observable<readonly string[]>) => Observable<UtxoState>
  readonly balances$: (
    state$: Observable<BalanceState>,
    given$: Observable<readonly string[]>,
  ) => Observable<BalanceState>
  /** Nothing of what is followed now is stored or shown any more. */
  readonly forget: () => void
}

/** What the engine passes: its features load this code, and are not loaded by it. */
export interface LastStatesDeps {
  /** The option `shared.name`. */
  readonly name: string
  /** Ms. */
  readonly maxAge: number
  /** Notes whether the state could be stored at last. */
  readonly stored: (isStored: boolean) => void
  readonly live: LiveStates
}

/** The last states of a core. */
export function createLastStates(core: CoreParts, { live, stored, ...settings }: LastStatesDeps): LastStates {
  const { platform, lifetime, options } = core
  const tabs = platform.tabs ?? createBrowserTabs()
  if (tabs === null) throw new Error('Tabs share nothing here')
  const forgotten$ = new Subject<void>()
  const changed$ = new Subject<void>()
  const followed = new FollowedSets(() => changed$.next())
  const stores = new Map<ChainNetwork, StoredStates>()
  const store = (): StoredStates => {
    const network = core.network()
    const known = stores.get(network)
    if (known !== undefined) return known
    const opened = new StoredStates({
      ...settings,
      network,
      databases: tabs.databases,
      now: () => platform.now(),
      onStored: () => stored(true),
      onFailure: (error) => {
        options.logger.warn('The last state is not stored', { error })
        stored(false)
      },
    })
    stores.set(network, opened)
    return opened
  }
  const write = async (sets: readonly FollowedSet[], cause: 'changed' | 'hidden'): Promise<void> => {
    const states = sets.flatMap(({ key, addresses }) => {
      const state = readLive(live, addresses)
      return state === undefined ? [] : { key, state }
    })
    await Promise.all(states.map(({ key, state }) => store().write(key, state, cause)))
  }
  let writtenAt = -Infinity
  const timed$ = changed$.pipe(
    audit(() => timer(toWriteDelay(platform.scheduler.now() - writtenAt), platform.scheduler)),
    concatMap(() => {
      writtenAt = platform.scheduler.now()
      return write(followed.takeChanged(), 'changed')
    }),
  )
  const hidden$ = platform.visible$.pipe(
    filter((isVisible) => !isVisible),
    concatMap(() => write(followed.takeAll(), 'hidden')),
  )
  const forget = (): void => {
    followed.forget()
    for (const each of stores.values()) each.forget()
    forgotten$.next()
  }
  const elsewhere$ = tabs.notified$(toForgetChannel(settings.name)).pipe(tap(forget))
  lifetime.add(merge(timed$, hidden$, elsewhere$).subscribe())
  lifetime.add(() => stores.forEach((each) => void each.close()))

  const restored$ = (addresses: readonly string[]): Observable<Restored | null> =>
    merge(store().restored$(addresses), NEVER).pipe(takeUntil(forgotten$), endWith(null))

  /** A subscriber: what it follows is stored, and deleted when its addresses change to none. */
  const show = <State extends Pick<UtxoState, 'freshness' | 'reason'>>(
    state$: Observable<State>,
    given$: Observable<readonly string[]>,
    rules: Omit<RestoreRules<State>, 'restored$'>,
  ): Observable<State> =>
    defer(() => {
      const follower = followed.open()
      const followed$ = state$.pipe(
        tap((state) => follower.state(rules.addressesOf(state), state.freshness === 'fresh')),
      )
      const removed$ = given$.pipe(
        pairwise(),
        filter(([before, now]) => before.length > 0 && now.length === 0),
        tap(() => {
          const key = follower.empty()
          if (key === undefined || followed.has(key)) return
          store() // of the network of now; the addresses may be of the one before
          for (const each of stores.values()) void each.remove(key)
        }),
        ignoreElements(),
      )
      return merge(removed$, showRestored(followed$, { ...rules, restored$ })).pipe(
        finalize(() => follower.close()),
        takeUntil(core.ended$),
      )
    }).pipe(shareLatest(core.ended$))

  return {
    utxos$: (tracker, given$) =>
      show(tracker.state$, given$, {
        addressesOf: ({ addresses }) => addresses,
        toState: (state, restored) => restoredUtxos(state, restored, firstSnapshotOf(live.utxos(state.addresses))),
      }),
    balances$: (state$, given$) =>
      show(state$, given$, {
        addressesOf: ({ byAddress }) => Object.keys(byAddress),
        toState: restoredBalances,
      }),
    forget,
  }
}

/**
 * Follows the addresses until the node has shown them. `tracker` has them alone: a payment that waits must not spend
 * what the caller follows since, such as another account.
 */
const firstSnapshotOf =
  (tracker: UtxoTracker): AwaitUtxos<UtxoState> =>
  ({ signal }) =>
    firstValueFrom(
      merge(
        tracker.state$.pipe(filter(({ freshness }) => freshness === 'fresh' || freshness === 'stale')),
        from(tracker.ready({ signal, timeout: SNAPSHOT_LIMIT })).pipe(ignoreElements()),
      ),
    )
