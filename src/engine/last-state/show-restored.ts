import { combineLatest, connect, distinctUntilChanged, map, of, startWith, switchMap, type Observable } from 'rxjs'
import { isSameList } from '../../model/changes.js'
import type { UtxoState } from '../../streams/utxos/view/state.js'
import type { Restored } from './restored.js'

type Shown = Pick<UtxoState, 'freshness' | 'reason'>

/** How a state is restored. */
export interface RestoreRules<State> {
  readonly addressesOf: (state: State) => readonly string[]
  /** What is stored of some addresses; null where nothing is. Emits again when more of it was read. */
  readonly restored$: (addresses: readonly string[]) => Observable<Restored | null>
  readonly toState: (live: State, restored: Restored) => State
}

/** The states of a tracker, with what is stored in place of those of addresses that have no snapshot yet. */
export const showRestored = <State extends Shown>(
  state$: Observable<State>,
  { addressesOf, restored$, toState }: RestoreRules<State>,
): Observable<State> =>
  state$.pipe(
    connect((live$) => {
      const stored$ = live$.pipe(
        map((live) => (isReplaceable(live) ? addressesOf(live) : [])),
        distinctUntilChanged(isSameList),
        switchMap((addresses) => (addresses.length === 0 ? of(null) : restored$(addresses).pipe(startWith(null)))),
      )
      return combineLatest([live$, stored$]).pipe(
        map(([live, stored]) =>
          stored !== null && isReplaceable(live) && isSameList(stored.addresses, addressesOf(live))
            ? toState(live, stored)
            : live,
        ),
        distinctUntilChanged(),
      )
    }),
  )

/** Whether nothing is known of the addresses, which are of this network. */
export const isReplaceable = ({ freshness, reason }: Shown): boolean =>
  (freshness === 'unknown' || freshness === 'loading') && reason !== 'wrong-network'
