import {
  EMPTY,
  NEVER,
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
  takeUntil,
  timer,
  withLatestFrom,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import type { AcceptanceStreams } from '../acceptance/acceptance.js'
import type { Scores } from '../scores.js'
import type { NodeLink } from '../session/node-link.js'
import { LONGEST_TIMER } from '../../loading/abortable.js'
import { acceptedByOf, missingOf, replacementOf, type StatusEvent, type StatusState } from './reduce-status.js'
import { doubleSpends$, type DoubleSpendDeps } from './double-spends.js'
import { searchAcceptingBlock$ } from './find-accepting-block.js'
import { conflicts$, isUnaccepted$, mempoolReads$, type MempoolDeps } from './watch-mempool.js'

export type FollowDeps = MempoolDeps &
  DoubleSpendDeps &
  Pick<Scores, 'sinkBlueScore$'> &
  Pick<NodeLink, 'events$'> &
  Pick<AcceptanceStreams, 'changes$' | 'chains'> & {
    /** Own transactions rejected by the node. */
    readonly rejections$: Observable<{ readonly transactionId: string; readonly error: ChainError }>
    /** Own transactions replaced by another one (RBF). */
    readonly replacements$: Observable<{ readonly transactionId: string; readonly by: string }>
  }

export interface FollowOptions {
  readonly confirmations: number
  /** Ms. */
  readonly timeout: number
}

/** All events of one transaction: acceptance, mempool reads, timeout. */
export const events$ = (
  id: string,
  { confirmations, timeout }: FollowOptions,
  state$: Observable<StatusState>,
  deps: FollowDeps,
): Observable<StatusEvent> =>
  merge(
    acceptance$(id, deps),
    rollbacks$(deps),
    removals$(state$, deps),
    confirmations$(deps),
    mempoolReads$(id, state$, deps),
    pastAcceptance$(id, state$, deps),
    conflicts$(id, state$, deps),
    acceptingBlueScore$(state$, deps),
    failures$(id, deps),
    replacement$(state$, deps),
    doubleSpends$(id, confirmations, state$, deps),
    expiry$(timeout, state$, deps),
  )

/** Its acceptance: from the remembered chain, then from changes. */
function acceptance$(
  id: string,
  { changes$, chains }: FollowDeps,
): Observable<Extract<StatusEvent, { readonly type: 'accepted' | 'reverted' }>> {
  const remembered$ = defer(() => {
    const block = chains()
      .flat()
      .find(({ accepted }) => accepted.includes(id))
    return block === undefined ? EMPTY : of({ type: 'accepted', hash: block.hash } as const)
  })
  const notified$ = changes$.pipe(
    filter((change) => change.type !== 'rollback'),
    filter(({ transactionId }) => transactionId === id),
    map(({ type, acceptingBlockHash }) => ({ type, hash: acceptingBlockHash })),
  )
  return merge(notified$, remembered$)
}

/** Rollbacks remove also an accepting block that was found by a look-back, whose reverted transactions are unknown. */
const rollbacks$ = ({ changes$ }: FollowDeps): Observable<StatusEvent> =>
  changes$.pipe(
    filter((change) => change.type === 'rollback'),
    map(({ blueScore }) => ({ type: 'rolledBack', blueScore }) as const),
  )

/**
 * The removal of its accepting block. Acceptance changes do not include it where the block was found by a look-back:
 * they begin later.
 */
const removals$ = (state$: Observable<StatusState>, { events$ }: FollowDeps): Observable<StatusEvent> =>
  events$('virtual-chain-changed').pipe(
    withLatestFrom(state$),
    map(([{ data }, state]) => data.removedChainBlockHashes.find((hash) => hash === acceptedByOf(state)?.hash)),
    filter((hash) => hash !== undefined),
    map((hash) => ({ type: 'reverted', hash }) as const),
  )

/**
 * The sink blue score, sampled when transactions are accepted: after a reorg has reverted others. A node notifies the
 * score before the chain change: applied at once, it would count a block that may revert the acceptance.
 */
const confirmations$ = ({ changes$, sinkBlueScore$ }: FollowDeps): Observable<StatusEvent> =>
  merge(
    sinkBlueScore$.pipe(take(1)),
    changes$.pipe(
      filter(({ type }) => type === 'accepted'),
      withLatestFrom(sinkBlueScore$),
      map(([, blueScore]) => blueScore),
    ),
  ).pipe(
    distinctUntilChanged(),
    map((blueScore) => ({ type: 'sinkMoved', blueScore }) as const),
  )

/**
 * If the first mempool read does not find it, it may have been accepted before: looks for its accepting block. If the
 * node does not respond, retries after the next mempool read.
 */
function pastAcceptance$(id: string, state$: Observable<StatusState>, deps: FollowDeps): Observable<StatusEvent> {
  return state$.pipe(
    filter((state) => state.phase !== 'unknown' || missingOf(state) !== null),
    take(1),
    switchMap(({ phase }) => (phase === 'unknown' ? searchAcceptingBlock$(id, state$, deps) : EMPTY)),
    map((hash) => ({ type: 'accepted', hash }) as const),
    catchError(() => EMPTY), // it stays unknown, until it is accepted or expires
    takeUntil(isUnaccepted$(state$).pipe(filter((isUnaccepted) => !isUnaccepted))), // acceptance changes are newer
  )
}

/** The blue score of the accepting block, from which confirmations count; retried with each block until known. */
const acceptingBlueScore$ = (state$: Observable<StatusState>, { call }: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    map(acceptedByOf),
    filter((acceptedBy) => acceptedBy !== null),
    filter(({ blueScore }) => blueScore === null),
    exhaustMap(({ hash }) =>
      call('getBlock', { hash, includeTransactions: false }).pipe(
        map(({ block }) => ({ type: 'blueScoreReceived', hash, blueScore: block.header.blueScore }) as const),
        catchError(() => EMPTY),
      ),
    ),
  )

/** Failures of own transactions, which are notified only once. */
const failures$ = (id: string, { rejections$, replacements$ }: FollowDeps): Observable<StatusEvent> =>
  merge(
    rejections$.pipe(
      filter(({ transactionId }) => transactionId === id),
      map(({ error }) => ({ type: 'rejected', error }) as const),
    ),
    replacements$.pipe(
      filter(({ transactionId }) => transactionId === id),
      map(({ by }) => ({ type: 'conflicted', by }) as const),
    ),
  )

/** The transaction that was found in its place: its acceptance, and what replaces it in turn. */
const replacement$ = (state$: Observable<StatusState>, deps: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    map(replacementOf),
    distinctUntilChanged(),
    switchMap((by) =>
      by === undefined
        ? EMPTY
        : merge(
            acceptance$(by, deps).pipe(
              map(({ type }) => ({ type: type === 'accepted' ? 'otherAccepted' : 'otherReverted', id: by }) as const),
            ),
            failures$(by, deps).pipe(filter(({ type }) => type === 'conflicted')),
          ),
    ),
  )

/** The timeout since the transaction was last seen. Uses a timer, not the wall clock, which may jump. */
const expiry$ = (timeout: number, state$: Observable<StatusState>, { platform }: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    map(({ sightings }) => sightings),
    distinctUntilChanged(),
    switchMap(() => (timeout === Infinity ? NEVER : timer(Math.min(timeout, LONGEST_TIMER), platform.scheduler))),
    map(() => ({ type: 'expired', timeout }) as const),
  )
