import type { LastSummary } from '../../model/last-state/summary.js'
import { toAwaited, withoutSpent, type AwaitUtxos } from '../../model/utxo-source/awaited.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../model/utxo.js'
import {
  toBalance,
  toUtxoBalance,
  type Balance,
  type BalanceState,
  type UtxoState,
} from '../../streams/utxos/view/state.js'
import { combineLatest, connect, distinctUntilChanged, map, of, startWith, switchMap, type Observable } from 'rxjs'
import { isSameList } from '../../model/changes.js'

/** What was stored of a set of addresses. */
export interface Restored {
  readonly addresses: readonly string[]
  readonly summary: LastSummary
  /** Empty until they are read: the first call starts that, and another `Restored` follows. */
  readonly entries: () => readonly UtxoEntry[]
}

/** The balances in place of unknown ones. */
export const restoredBalances = (live: BalanceState, { summary }: Restored): BalanceState => ({
  ...restoredFreshness(summary),
  error: live.error,
  balance: sumOf(summary),
  byAddress: Object.fromEntries(Array.from(summary.byAddress, ([address, balance]) => [address, toBalance(balance)])),
})

/**
 * The UTXOs in place of unknown ones. Payments do not use them: they wait for those of the first snapshot, which may
 * have been spent meanwhile.
 */
export const restoredUtxos = (
  live: UtxoState,
  { summary, entries }: Restored,
  firstSnapshot: AwaitUtxos<UtxoState>,
): UtxoState => ({
  addresses: live.addresses,
  invalidEntries: [],
  invalidEntryCount: 0,
  ...restoredFreshness(summary),
  error: live.error,
  balance: toUtxoBalance(sumOf(summary)),
  get entries() {
    const restored = entries()
    return toAwaited(restored, async (wait) => withoutSpent(restored, (await firstSnapshot(wait)).entries))
  },
  matureEntries: toAwaited([], async (wait) => (await firstSnapshot(wait)).matureEntries),
  source: UtxoSource.awaiting(async (wait) => (await firstSnapshot(wait)).source),
})

const restoredFreshness = ({ asOf }: LastSummary) => ({ freshness: 'stale', reason: 'restored', asOf }) as const

function sumOf({ byAddress }: LastSummary): Balance {
  const sum = { mature: 0n, unconfirmed: 0n, immature: 0n, bound: 0n }
  for (const { mature, unconfirmed, immature, bound } of byAddress.values()) {
    sum.mature += mature
    sum.unconfirmed += unconfirmed
    sum.immature += immature
    sum.bound += bound
  }
  return toBalance(sum)
}

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
const isReplaceable = ({ freshness, reason }: Shown): boolean =>
  (freshness === 'unknown' || freshness === 'loading') && reason !== 'wrong-network'
