import {
  catchError,
  concat,
  defer,
  firstValueFrom,
  ignoreElements,
  map,
  merge,
  of,
  retry,
  switchMap,
  takeUntil,
  throwIfEmpty,
  timer,
} from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { toChainError, type ChainError } from '../../errors/chain-error.js'
import { engineDisposed } from '../../errors/engine-disposed.js'
import { lazyModule } from '../../loading/lazy-module.js'
import { DEFAULT_RETRIES, backoff } from '../../streams/connection/policy.js'
import {
  checkUtxoOptions,
  UNKNOWN_UTXOS,
  type FollowUtxos,
  type UtxoState,
  type UtxoTracker,
} from '../../streams/utxos/view/state.js'
import { expired$, type WaitOptions } from '../../streams/utxos/view/wait.js'
import { startUnlessEmitted } from '../../streams/start-unless-emitted.js'
import { UNKNOWN_BALANCES, type BalanceState, type FollowBalances } from '../../streams/utxos/view/balance.js'
import type { Utxos } from '../../streams/utxos/utxos.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf, type CoreParts } from '../core-parts.js'
import { feature } from '../feature.js'

export const utxoSetsModule = /*#__PURE__*/ lazyModule(() => import('../utxo-sets.js'))

/** Creates trackers of addresses over the core's UTXO sets. Their code is loaded with the first subscription. */
export const utxos =
  (core: ChainCore): FollowUtxos =>
  (addresses, options = {}) => {
    checkUtxoOptions(options)
    const parts = partsOf(core)
    let tracker: UtxoTracker | undefined
    const toTracker = map((utxos: Utxos) => (tracker ??= utxos.tracker(addresses, options)))
    // a call rejects where loading fails, and the next one loads again
    const tracker$ = openUtxos$(parts).pipe(toTracker)
    return {
      state$: openUtxos$(parts).pipe(
        toTracker,
        switchMap(({ state$ }) => state$),
        retriedWithBackoff<UtxoState>(parts, (error) => ({ ...UNKNOWN_UTXOS, error })),
        startUnlessEmitted(UNKNOWN_UTXOS),
      ),
      ready: (wait) => callOnceLoaded(parts, tracker$, (loaded) => loaded.ready(wait), wait),
      refresh: (wait) => callOnceLoaded(parts, tracker$, (loaded) => loaded.refresh(wait), wait),
    }
  }

/** Creates streams of balances over the core's UTXO sets. Their code is loaded with the first subscription. */
export const balances =
  (core: CoreParts): FollowBalances =>
  (addresses, options = {}) => {
    checkUtxoOptions(options)
    let balances$: ReturnType<FollowBalances> | undefined
    return openUtxos$(core).pipe(
      switchMap((utxos) => (balances$ ??= utxos.balances$(addresses, options))),
      retriedWithBackoff<BalanceState>(core, (error) => ({ ...UNKNOWN_BALANCES, error })),
      startUnlessEmitted(UNKNOWN_BALANCES),
    )
  }

/** The UTXO sets, within the call of `subscribe` once their code is loaded. A failed load is retried with backoff. */
export const loadedUtxos$ = (core: CoreParts): Observable<Utxos> =>
  openUtxos$(core).pipe(retry({ delay: (_, failures) => retryDelay$(core, failures) }))

/** The same; errors with `ChainError` (`code-not-loaded`). */
const openUtxos$ = (core: CoreParts): Observable<Utxos> =>
  utxoSetsModule.module$.pipe(
    map(({ utxoSets }) => feature(core, utxoSets)),
    takeUntil(core.ended$),
  )

const retryDelay$ = ({ platform }: CoreParts, failures: number): Observable<unknown> =>
  timer(backoff(failures, DEFAULT_RETRIES, platform.random()), platform.scheduler)

/** Emits the state of each failed load, and loads again. A state stream itself never errors. */
const retriedWithBackoff =
  <State>(core: CoreParts, toState: (error: ChainError) => State): MonoTypeOperatorFunction<State> =>
  (state$) =>
    defer(() => {
      let failures = 0
      return state$.pipe(
        catchError((cause: unknown, again$) => {
          failures += 1
          const error = toChainError(cause, 'The UTXO sets could not be opened')
          const retried$ = retryDelay$(core, failures).pipe(switchMap(() => again$))
          return concat(of(toState(error)), retried$).pipe(takeUntil(core.ended$))
        }),
      )
    })

/**
 * Starts to load the code of trackers, so that it is there once the node is connected. A failure shows at the first
 * subscription.
 */
export const preloadUtxos = (): void => {
  utxoSetsModule.load().catch(() => undefined) // the first subscription loads again, and shows the failure
}

/** Calls a method of a tracker. What the caller waits at most includes the load. */
const callOnceLoaded = (
  core: CoreParts,
  tracker$: Observable<UtxoTracker>,
  call: (tracker: UtxoTracker) => Promise<void>,
  wait: WaitOptions | undefined,
): Promise<void> =>
  firstValueFrom(
    merge(tracker$.pipe(switchMap(call), throwIfEmpty(engineDisposed)), expired$(core, wait).pipe(ignoreElements())),
  )
