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
  retry,
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
import type { LookBack } from './look-back.js'
import type { StatusEvent, StatusState } from './reduce-status.js'
import { conflicts$, isOpen$, laterLooks$, looks$, type MempoolDeps } from './watch-mempool.js'

/** The longest wait, in ms, that a timer can be given. */
const LONGEST = 2 ** 31 - 1

export type FollowDeps = MempoolDeps &
  Pick<Scores, 'sinkBlueScore$'> &
  Pick<AcceptanceStreams, 'changes$' | 'chains'> & {
    /** Finds what accepted a transaction before anybody listened. */
    readonly lookBack: LookBack
    /** Transactions of our own that the node would not have. */
    readonly rejections$: Observable<{ readonly transactionId: string; readonly error: ChainError }>
    /** Transactions whose place in the mempool another of our own has taken. */
    readonly replacements$: Observable<{ readonly transactionId: string; readonly by: string }>
  }

/** Everything that happens to one transaction: what the chain says, what the mempool answers, what time brings. */
export const events$ = (
  id: string,
  timeout: number,
  state$: Observable<StatusState>,
  deps: FollowDeps,
): Observable<StatusEvent> =>
  merge(
    acceptance$(id, deps),
    confirmations$(deps),
    looks$(id, state$, deps),
    history$(id, state$, deps),
    conflicts$(id, state$, deps),
    weights$(state$, deps),
    ends$(id, deps),
    expiry$(timeout, state$, deps),
  )

/** What the virtual chain says of it: what is remembered, then what it tells. */
function acceptance$(id: string, { changes$, chains }: FollowDeps): Observable<StatusEvent> {
  const remembered$ = defer(() => {
    const block = chains()
      .flat()
      .find(({ accepted }) => accepted.includes(id))
    return block === undefined ? EMPTY : of({ type: 'accepted', hash: block.hash } as const)
  })
  const told$ = changes$.pipe(
    filter(({ transactionId }) => transactionId === id),
    map(({ type, acceptingBlockHash }) => ({ type, hash: acceptingBlockHash })),
  )
  return merge(told$, remembered$)
}

/**
 * The sink's blue score, as of each change of the chain. A node tells of the score first: taken at once, it would count a
 * block that is about to take the acceptance back.
 */
const confirmations$ = ({ changes$, sinkBlueScore$ }: FollowDeps): Observable<StatusEvent> =>
  merge(
    sinkBlueScore$.pipe(take(1)),
    changes$.pipe(
      withLatestFrom(sinkBlueScore$),
      map(([, blueScore]) => blueScore),
    ),
  ).pipe(
    distinctUntilChanged(),
    map((blueScore) => ({ type: 'sinkMoved', blueScore }) as const),
  )

/**
 * Where it was not in the mempool when it was first looked for, it may have been accepted before. Where the node does not
 * answer that, it is asked again once it has answered another look into the mempool.
 */
function history$(
  id: string,
  state$: Observable<StatusState>,
  { call, lookBack }: FollowDeps,
): Observable<StatusEvent> {
  return state$.pipe(
    filter(({ phase, missing }) => phase !== 'unknown' || missing !== null),
    take(1),
    switchMap(({ phase }) =>
      phase === 'unknown' ? lookBack(id, call).pipe(retry({ delay: () => laterLooks$(state$) })) : EMPTY,
    ),
    map((hash) => ({ type: 'accepted', hash }) as const),
    takeUntil(isOpen$(state$).pipe(filter((isOpen) => !isOpen))), // then the chain itself has told, and newer things
  )
}

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

/** What became of it where it was sent through here: the node tells of that once. */
const ends$ = (id: string, { rejections$, replacements$ }: FollowDeps): Observable<StatusEvent> =>
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

/** Patience runs from the last time it was seen, by a timer: a wall clock that jumps has not waited. */
const expiry$ = (timeout: number, state$: Observable<StatusState>, { platform }: FollowDeps): Observable<StatusEvent> =>
  state$.pipe(
    map(({ sightings }) => sightings),
    distinctUntilChanged(),
    switchMap(() => (timeout === Infinity ? NEVER : timer(Math.min(timeout, LONGEST), platform.scheduler))),
    map(() => ({ type: 'expired', timeout }) as const),
  )
