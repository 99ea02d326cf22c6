import {
  BehaviorSubject,
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
  tap,
  throwIfEmpty,
  timer,
} from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { toChainError, type ChainError } from '../../errors/chain-error.js'
import { engineDisposed } from '../../errors/not-ready-error.js'
import { lazyModule } from '../../loading/lazy-methods.js'
import { DEFAULT_RETRIES, backoff } from '../../streams/connection/policy.js'
import { toAddresses$, type FollowedAddresses } from '../../streams/addresses.js'
import {
  checkUtxoOptions,
  UNKNOWN_UTXOS,
  type FollowUtxos,
  type UtxoOptions,
  type UtxoState,
  type UtxoTracker,
  UNKNOWN_BALANCES,
  type BalanceState,
  type FollowBalances,
} from '../../streams/utxos/view/state.js'
import { expired$, type WaitOptions } from '../../streams/utxos/view/wait.js'
import { startUnlessEmitted } from '../../streams/start-unless-emitted.js'
import type { Utxos } from '../../streams/utxos/utxos.js'
import { type ChainCore, partsOf, type CoreParts, feature } from '../core-parts.js'
import type { LastStates, createLastStates } from '../last-state/last-states.js'
import { openedStates, sharing } from './sharing.js'

export const utxoSetsModule = /*#__PURE__*/ lazyModule(() => import('../utxo-sets.js'))

const lastStateModule = /*#__PURE__*/ lazyModule(() => import('../last-state/last-states.js'))

/** Trackers that show what is stored until their first snapshot, with the option `shared.state`. */
export const utxos =
  (core: ChainCore): FollowUtxos =>
  (addresses, options = {}) => {
    const parts = partsOf(core)
    if (!isStored(parts, options)) return feature(parts, liveUtxos)(addresses, options)
    const { given$, followed$ } = noteGiven(addresses)
    const tracker = feature(parts, liveUtxos)(followed$, options)
    const state$ = withLastStates(parts, tracker.state$, (states) => states.utxos$(tracker, given$))
    return { ...tracker, state$: state$.pipe(startUnlessEmitted(UNKNOWN_UTXOS)) }
  }

/** Streams of balances, likewise. */
export const balances =
  (core: CoreParts): FollowBalances =>
  (addresses, options = {}) => {
    if (!isStored(core, options)) return feature(core, liveBalances)(addresses, options)
    const { given$, followed$ } = noteGiven(addresses)
    const live$ = feature(core, liveBalances)(followed$, options)
    const state$ = withLastStates(core, live$, (states) => states.balances$(live$, given$))
    return state$.pipe(startUnlessEmitted(UNKNOWN_BALANCES))
  }

/** Whether the states of a tracker are stored: those with another maturity are not. */
const isStored = (core: CoreParts, { coinbaseMaturity }: UtxoOptions): boolean =>
  feature(core, sharing).lastState !== null && coinbaseMaturity === undefined

/** The addresses to follow, and the last ones that were given. */
function noteGiven(addresses: FollowedAddresses) {
  const given$ = new BehaviorSubject<readonly string[]>([])
  return { given$, followed$: toAddresses$(addresses).pipe(tap((given) => given$.next(given))) }
}

/** The last states of a core, created at the first call. */
function openLastStates(core: CoreParts, create: typeof createLastStates): LastStates {
  const opened = feature(core, openedStates)
  const { lastState, stored } = feature(core, sharing)
  if (lastState === null) throw new Error('No state is stored here') // no code path leads here
  const live = { balances: feature(core, liveBalances), utxos: feature(core, liveUtxos) }
  return (opened.current ??= create(core, { ...lastState, stored, live }))
}

/** What the code of the last states makes of a stream, which stays as it is where that code does not load. */
const withLastStates = <State>(
  core: CoreParts,
  live$: Observable<State>,
  show: (states: LastStates) => Observable<State>,
): Observable<State> => {
  let shown$: Observable<State> | undefined
  return lastStateModule.module$.pipe(
    map(({ createLastStates }) => (shown$ ??= show(openLastStates(core, createLastStates)))),
    catchError((error: unknown) => {
      core.options.logger.warn('The last state is not shown', { error })
      return of(live$)
    }),
    switchMap((state$) => state$),
    takeUntil(core.ended$),
  )
}

/** Creates trackers of addresses over the core's UTXO sets. Their code is loaded with the first subscription. */
export const liveUtxos =
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
export const liveBalances =
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
