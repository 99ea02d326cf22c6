import {
  EMPTY,
  defer,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  skip,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { isOfType } from '../../session/events.js'
import type { NodeLink } from '../../session/node-link.js'
import { commandsOf$, type SyncCommands } from './commands.js'
import { hasEntryAbove, type Snapshot } from '../store/store.js'

export type ScoreDeps = Pick<NodeLink, 'serverInfo$' | 'requestServerInfo' | 'received$' | 'platform'>

/** Ms within which the node notifies the DAA score of a block whose entries it has notified. */
const SCORE_DELAY = 250

/**
 * Requests the DAA score once after entries ahead of it were added, unless a notification of a score follows: the block
 * may have been notified before the subscription to scores, and on an idle network no other one follows. Never emits.
 */
export const requestScores$ = (
  commands$: SyncCommands,
  { requestServerInfo, received$, platform }: ScoreDeps,
): Observable<never> =>
  commandsOf$(commands$, 'requestScore').pipe(
    exhaustMap(() =>
      timer(SCORE_DELAY, platform.scheduler).pipe(
        takeUntil(received$.pipe(filter(isOfType('virtual-daa-score-changed')))),
      ),
    ),
    tap(requestServerInfo),
    ignoreElements(),
  )

/** Emits at once, or where an entry of a snapshot is ahead of the DAA score, after one request of it. */
export const untilScored$ = (snapshot: Snapshot, { serverInfo$, requestServerInfo }: ScoreDeps): Observable<void> => {
  const request = (): Observable<never> => {
    requestServerInfo()
    return EMPTY
  }
  return serverInfo$.pipe(
    take(1),
    switchMap((info) => {
      const score = info?.virtualDaaScore ?? 0n
      if (!hasEntryAbove(snapshot, score)) return of(undefined)
      return merge(serverInfo$.pipe(skip(1), take(1)), defer(request))
    }),
    map(() => undefined),
  )
}
