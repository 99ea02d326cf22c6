import {
  EMPTY,
  catchError,
  exhaustMap,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  of,
  scan,
  startWith,
  switchMap,
  takeUntil,
  takeWhile,
  throttleTime,
  withLatestFrom,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { RpcResponse } from '../../node/messages/records.js'
import type { Clock } from '../connection/idle.js'
import { updateDaaScore, updateServerInfo } from './update-server-info.js'
import { LAG_AFTER, type ServerInfo } from './server-info.js'

/** Poll interval of a node that is not synced, ms. */
export const SYNC_POLL = 2_000

export interface WatchServerDeps {
  readonly clock: Clock
  /** Requests the node's information; cold. */
  readonly info$: Observable<RpcResponse<'getServerInfo'>>
  /** Virtual DAA scores from notifications. */
  readonly daaScores$: Observable<bigint>
  /** Requests for the information at once. */
  readonly requested$: Observable<void>
  /** Signs that the information has changed, which is then requested, at most every 250 ms. */
  readonly triggers$: Observable<unknown>
}

/** Minimum ms between two requests that triggers cause. */
const MIN_INTERVAL = 250

/** A change of the information. A `check` is emitted only where it changes something. */
interface Update {
  readonly from: 'poll' | 'notification' | 'check'
  readonly apply: (current: ServerInfo) => ServerInfo
}

/**
 * The node's information, beginning with `first`. Polls every 2 s until the node is synced, then once a minute, to
 * detect lagging. Emits after each of these responses, also an unchanged one, because lagging depends on time. A
 * requested response is ignored where a score is notified first, which may be newer.
 */
export function watchServer$(
  first: ServerInfo,
  { clock, info$, daaScores$, requested$, triggers$ }: WatchServerDeps,
): Observable<ServerInfo> {
  // A failed call is ignored; the heartbeat detects dead connections.
  const poll$ = info$.pipe(catchError(() => EMPTY))
  const untilSynced$ = interval(SYNC_POLL, clock.scheduler).pipe(
    exhaustMap(() => poll$),
    takeWhile((info) => !info.isSynced, true),
  )
  const initial$ = first.isSynced ? EMPTY : untilSynced$
  const later$ = interval(LAG_AFTER, clock.scheduler).pipe(
    exhaustMap(() => poll$.pipe(mergeMap((info) => (info.isSynced ? of(info) : untilSynced$.pipe(startWith(info)))))),
  )
  const polled$ = merge(initial$, later$).pipe(
    map((info): Update => ({ from: 'poll', apply: (current) => updateServerInfo(current, info, clock.now()) })),
  )
  const requestedInfo$ = requested$.pipe(
    exhaustMap(() =>
      info$.pipe(
        catchError(() => of(null)),
        takeUntil(daaScores$),
      ),
    ),
    map(
      (info): Update['apply'] =>
        (current) =>
          info === null ? current : updateServerInfo(current, info, clock.now()),
    ),
    map((apply): Update => ({ from: 'poll', apply })),
  )
  const checked$ = triggers$.pipe(
    throttleTime(MIN_INTERVAL, clock.scheduler, { leading: true, trailing: true }),
    switchMap(() => poll$.pipe(withLatestFrom(isTrueAfter(daaScores$)))),
    map(
      ([info, isNotified]): Update['apply'] =>
        (current) =>
          updateServerInfo(current, isNotified ? withHighestScore(info, current) : info, clock.now()),
    ),
    map((apply): Update => ({ from: 'check', apply })),
  )
  const scored$ = daaScores$.pipe(
    map((score): Update => ({ from: 'notification', apply: (current) => updateDaaScore(current, score, clock.now()) })),
  )
  return merge(polled$, requestedInfo$, checked$, scored$).pipe(
    scan(
      ({ info: before }, { from, apply }) => {
        const info = apply(before)
        return { info, isEmitted: from !== 'check' || info !== before }
      },
      { info: first, isEmitted: true },
    ),
    filter(({ isEmitted }) => isEmitted),
    map(({ info }) => info),
    startWith(first),
  )
}

/** False until the source emits. */
const isTrueAfter = (source$: Observable<unknown>): Observable<boolean> =>
  source$.pipe(
    map(() => true),
    startWith(false),
  )

/** A score notified during the request may be newer than the response. */
const withHighestScore = (info: RpcResponse<'getServerInfo'>, { virtualDaaScore }: ServerInfo): typeof info =>
  info.virtualDaaScore < virtualDaaScore ? { ...info, virtualDaaScore } : info
