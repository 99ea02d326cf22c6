import { EMPTY, catchError, exhaustMap, interval, map, merge, mergeMap, of, scan, startWith, takeWhile } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RpcResponse } from '../../node/messages/records.js'
import type { Clock } from '../connection/quiet.js'
import { moveTo, updateFacts } from './learn-facts.js'
import { LAG_AFTER, type ServerFacts } from './server-facts.js'

/** How often, in ms, a node that is not synced is asked whether it is. */
export const SYNC_POLL = 2_000

export interface WatchServerDeps {
  readonly clock: Clock
  /** Asks the node for its state; cold. */
  readonly info$: Observable<RpcResponse<'getServerInfo'>>
  /** Virtual DAA scores as they are heard of. */
  readonly daaScores$: Observable<bigint>
}

/**
 * What is known of a node, beginning with `first`: it is asked every 2 s until it is synced, then once a minute, which
 * finds a node that lags. Emits after each answer, also where it said nothing new: time has passed.
 */
export function watchServer$(
  first: ServerFacts,
  { clock, info$, daaScores$ }: WatchServerDeps,
): Observable<ServerFacts> {
  // A call that fails tells nothing of the node's state; whether it is alive is the heartbeat's business.
  const asked$ = info$.pipe(catchError(() => EMPTY))
  const untilSynced$ = interval(SYNC_POLL, clock.scheduler).pipe(
    exhaustMap(() => asked$),
    takeWhile((info) => !info.isSynced, true),
  )
  const now$ = first.isSynced ? EMPTY : untilSynced$
  const later$ = interval(LAG_AFTER, clock.scheduler).pipe(
    exhaustMap(() => asked$.pipe(mergeMap((info) => (info.isSynced ? of(info) : untilSynced$.pipe(startWith(info)))))),
  )
  const said$ = merge(now$, later$).pipe(map((info) => (facts: ServerFacts) => updateFacts(facts, info, clock.now())))
  const moved$ = daaScores$.pipe(map((score) => (facts: ServerFacts) => moveTo(facts, score, clock.now())))
  return merge(said$, moved$).pipe(
    scan((facts, change) => change(facts), first),
    startWith(first),
  )
}
