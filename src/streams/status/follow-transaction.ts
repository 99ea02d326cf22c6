import {
  EMPTY,
  catchError,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  map,
  merge,
  of,
  switchMap,
  take,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { AcceptanceStreams } from '../acceptance/acceptance.js'
import type { Scores } from '../scores.js'
import type { NodeLink } from '../session/node-link.js'
import { lookBack$ } from './look-back.js'
import type { StatusEvent, StatusState } from './reduce-status.js'

/** How often, in ms, the mempool is asked for a transaction that nothing has accepted. */
const LOOK_INTERVAL = 2_000

export type FollowDeps = Pick<NodeLink, 'call' | 'platform'> &
  Pick<Scores, 'sinkBlueScore$'> &
  Pick<AcceptanceStreams, 'changes$' | 'state'> & {
    /** Transactions of our own that the node would not have. */
    readonly rejections$: Observable<{ readonly transactionId: string; readonly error: ChainError }>
    /** Transactions whose place another of our own has taken. */
    readonly replacements$: Observable<{ readonly transactionId: string; readonly by: string }>
  }

/** Everything that happens to one transaction: what the chain says, what the mempool answers, what time brings. */
export const events$ = (id: string, state$: Observable<StatusState>, deps: FollowDeps): Observable<StatusEvent> =>
  merge(
    acceptance$(id, deps),
    deps.sinkBlueScore$.pipe(map((blueScore) => ({ type: 'sinkMoved', blueScore }) as const)),
    looks$(id, state$, deps),
    history$(id, state$, deps),
    conflicts$(id, state$, deps),
    weights$(state$, deps),
    deps.rejections$.pipe(
      filter(({ transactionId }) => transactionId === id),
      map(({ error }) => ({ type: 'rejected', error }) as const),
    ),
    deps.replacements$.pipe(
      filter(({ transactionId }) => transactionId === id),
      map(({ by }) => ({ type: 'conflicted', by }) as const),
    ),
  )

/** What the virtual chain says of it: what is remembered, then what it tells. */
function acceptance$(id: string, { changes$, state, platform }: FollowDeps): Observable<StatusEvent> {
  const remembered$ = defer(() => {
    const block = state()?.chain.find(({ accepted }) => accepted.includes(id))
    return block === undefined ? EMPTY : of({ type: 'accepted', hash: block.hash, at: platform.now() } as const)
  })
  const told$ = changes$.pipe(
    filter(({ transactionId }) => transactionId === id),
    map(({ type, acceptingBlockHash }) => ({ type, hash: acceptingBlockHash, at: platform.now() }) as const),
  )
  return merge(told$, remembered$)
}

/** Looks into the mempool, at once and then now and again, until something has accepted it. */
function looks$(id: string, state$: Observable<StatusState>, { call, platform }: FollowDeps): Observable<StatusEvent> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const look$ = call('getMempoolEntry', request).pipe(
    map(({ mempoolEntry }): StatusEvent => {
      const inputs = mempoolEntry.transaction.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint))
      return { type: 'found', inputs, at: platform.now() }
    }),
    catchError((error: unknown) =>
      of<StatusEvent>({ type: isAbsence(error) ? 'absent' : 'ticked', at: platform.now() }),
    ),
  )
  return state$.pipe(
    map(({ acceptedBy }) => acceptedBy === null),
    distinctUntilChanged(),
    switchMap((isOpen) => (isOpen ? timer(0, LOOK_INTERVAL, platform.scheduler) : EMPTY)),
    exhaustMap(() => look$),
  )
}

/** A node refuses to show what it has not. */
const isAbsence = (error: unknown): boolean => error instanceof ChainRpcError && error.code === 'remote'

/** Where it was not in the mempool when it was first looked for, it may have been accepted before. */
const history$ = (
  id: string,
  state$: Observable<StatusState>,
  { call, platform }: FollowDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    filter(({ phase, missing }) => phase !== 'unknown' || missing !== null),
    take(1),
    switchMap(({ phase }) => (phase === 'unknown' ? lookBack$(id, call) : EMPTY)),
    map((hash) => ({ type: 'accepted', hash, at: platform.now() }) as const),
  )

/** Where it has left the mempool, another that spends the same coins may have taken its place. */
const conflicts$ = (id: string, state$: Observable<StatusState>, { call }: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    filter(({ phase, missing }) => phase === 'mempool' && missing !== null),
    distinctUntilChanged((a, b) => a.inputs === b.inputs),
    switchMap(({ inputs }) =>
      call('getMempoolEntries', { includeOrphanPool: false, filterTransactionPool: false }).pipe(
        map(({ mempoolEntries }) =>
          mempoolEntries.find(({ transaction }) =>
            transaction.inputs.some(({ previousOutpoint }) => inputs.includes(toOutpointKey(previousOutpoint))),
          ),
        ),
        catchError(() => EMPTY), // then it is evicted, in time
      ),
    ),
    map((rival) => rival?.transaction.verboseData?.transactionId),
    filter((rival) => rival !== undefined && rival !== id),
    map((by) => ({ type: 'conflicted', by: by ?? '' }) as const),
  )

/** The blue score of the accepting block, from which confirmations count; asked again with each block until it is known. */
const weights$ = (state$: Observable<StatusState>, { call }: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    filter(({ acceptedBy }) => acceptedBy !== null && acceptedBy.blueScore === null),
    map(({ acceptedBy }) => acceptedBy?.hash ?? ''),
    exhaustMap((hash) =>
      call('getBlock', { hash, includeTransactions: false }).pipe(
        map(({ block }) => ({ type: 'weighed', hash, blueScore: block.header.blueScore }) as const),
        catchError(() => EMPTY),
      ),
    ),
  )
