import {
  EMPTY,
  catchError,
  exhaustMap,
  interval,
  map,
  merge,
  mergeMap,
  of,
  scan,
  startWith,
  takeUntil,
  takeWhile,
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
}

/**
 * The node's information, beginning with `first`. Polls every 2 s until the node is synced, then once a minute, to detect
 * lagging. Emits after each response, also an unchanged one, because lagging depends on time. A requested response is ignored
 * where a score is notified first, which may be newer.
 */
export function watchServer$(
  first: ServerInfo,
  { clock, info$, daaScores$, requested$ }: WatchServerDeps,
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
    map((info) => (current: ServerInfo) => updateServerInfo(current, info, clock.now())),
  )
  const requestedInfo$ = requested$.pipe(
    exhaustMap(() =>
      info$.pipe(
        catchError(() => of(null)),
        takeUntil(daaScores$),
      ),
    ),
    map((info) => (current: ServerInfo) => (info === null ? current : updateServerInfo(current, info, clock.now()))),
  )
  const scored$ = daaScores$.pipe(map((score) => (current: ServerInfo) => updateDaaScore(current, score, clock.now())))
  return merge(polled$, requestedInfo$, scored$).pipe(
    scan((current, update) => update(current), first),
    startWith(first),
  )
}
