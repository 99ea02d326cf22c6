import {
  auditTime,
  defer,
  ignoreElements,
  map,
  merge,
  of,
  switchMap,
  take,
  takeUntil,
  type Observable,
  endWith,
  filter,
  firstValueFrom,
} from 'rxjs'
import { toAddresses$, type FollowedAddresses } from '../../addresses.js'
import type { NodeLink } from '../../session/node-link.js'
import type { BalanceState, UtxoTracker, UtxoOptions, StaleReason, UtxoState } from './state.js'
import { refetch } from '../sync/commands.js'
import { shareLatest } from '../../share-latest.js'
import { summarize, type TrackerContext } from './state-parts.js'
import { view$, type ViewDeps } from './view-stream.js'
import { ChainError } from '../../../errors/chain-error.js'
import { engineDisposed } from '../../../errors/not-ready-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { ConnectionState } from '../../connection/state.js'
import { METHOD, failureOnExpiry$, type WaitDeps, type WaitOptions } from './wait.js'

const REFUSALS: ReadonlySet<StaleReason> = /*#__PURE__*/ new Set<StaleReason>([
  'subscription-refused',
  'no-utxo-index',
  'fetch-failed',
  'wrong-network',
])

export interface TrackerDeps extends ViewDeps, Pick<NodeLink, 'network$' | 'ended$'> {}

/** One caller's tracker over the shared UTXO sets. Starts over when the network changes. */
export function createTracker(addresses: FollowedAddresses, options: UtxoOptions, deps: TrackerDeps): UtxoTracker {
  const { utxoSets, commands$, platform } = deps
  const addresses$ = toAddresses$(addresses)
  const state$ = deps.network$.pipe(
    switchMap((network) => view$(addresses$, network, options, deps, (view) => view.state())),
    shareLatest(deps.ended$),
  )
  /** The states that include all changes so far: without the delay, an address just added may be missing. */
  const currentState$ = state$.pipe(auditTime(0, platform.frames))
  /**
   * Progress of the address sets since `refresh()`. Read from the sets, since a refetch may complete within one frame.
   * Emits when `state$` has emitted, too.
   */
  const progressOf$ = (addresses: readonly string[]): Observable<Progress> => {
    const addressSets = addresses.flatMap((address) => utxoSets.all.get(address) ?? [])
    const progress = (): Progress => ({ addresses, ...summarize(addressSets, SYNCED_CONTEXT) })
    const requested$ = defer(() => {
      refetch(commands$, addressSets)
      return of(undefined)
    })
    return merge(utxoSets.phaseChanged$, requested$).pipe(auditTime(0, platform.frames), map(progress))
  }
  const refetch$ = currentState$.pipe(
    take(1),
    switchMap(({ addresses, freshness, reason, error }): Observable<Progress> =>
      reason === 'wrong-network' ? of({ addresses, freshness, reason, error }) : progressOf$(addresses),
    ),
    takeUntil(deps.ended$),
  )
  const running$ = state$.pipe(ignoreElements())
  return {
    state$,
    ready: (wait) => untilReady(currentState$, isLoaded, deps, wait),
    refresh: (wait) => untilReady(merge(running$, refetch$), isUpToDate, deps, wait),
  }
}

/** The balances of addresses. Starts over when the network changes. */
export const createBalances$ = (
  addresses: FollowedAddresses,
  options: UtxoOptions,
  deps: TrackerDeps,
): Observable<BalanceState> =>
  deps.network$.pipe(
    switchMap((network) => view$(toAddresses$(addresses), network, options, deps, (view) => view.balances())),
    shareLatest(deps.ended$),
  )

const SYNCED_CONTEXT: TrackerContext = { node: 'synced', addressError: null, connectionError: null }

/** Every address was loaded at least once. No addresses count as loaded, unless all of them were refused. */
const isLoaded = ({ addresses, freshness, reason }: Progress): boolean =>
  reason !== 'wrong-network' && (freshness === 'fresh' || freshness === 'stale' || addresses.length === 0)

const isUpToDate = ({ addresses, freshness, reason }: Progress): boolean =>
  freshness === 'fresh' || reason === 'not-synced' || addresses.length === 0

type Progress = Pick<UtxoState, 'addresses' | 'freshness' | 'reason' | 'error'>

type Outcome = 'ready' | 'pending' | ChainError

/**
 * Resolves once `isReady` accepts the state. Rejects when the node refuses, the connection ends, the caller aborts, the
 * time is over or the engine is disposed. Waits for a connection that has not been opened yet.
 */
async function untilReady(
  state$: Observable<Progress>,
  isReady: (state: Progress) => boolean,
  deps: WaitDeps,
  wait?: WaitOptions,
): Promise<void> {
  const untilDisposed$ = merge(
    state$.pipe(map((state): Outcome => (isReady(state) ? 'ready' : (toRefusal(state) ?? 'pending')))),
    deps.connection.state$.pipe(map(toConnectionOutcome)),
  ).pipe(endWith<Outcome>(engineDisposed()))
  // a signal that never aborts does not complete
  const outcome$ = merge(untilDisposed$, failureOnExpiry$(deps, wait))
  const outcome = await firstValueFrom(outcome$.pipe(filter((one) => one !== 'pending')))
  if (outcome !== 'ready') throw outcome
}

/** An error that does not resolve itself. */
const toRefusal = ({ reason, error }: Progress): ChainError | null =>
  reason !== null && REFUSALS.has(reason) ? error : null

function toConnectionOutcome(state: ConnectionState, index: number): Outcome {
  if (state.status === 'error') return state.error
  return state.status === 'disconnected' && index > 0 ? disconnected() : 'pending'
}

const disconnected = (): ChainError =>
  new ChainRpcError(METHOD, new ChainError('The connection was ended before the addresses were read'), {
    code: 'not-connected',
  })
