import { EMPTY, catchError, filter, map, merge, switchAll, switchMap, takeUntil, using, type Observable } from 'rxjs'
import type { NodeLink } from './session/node-link.js'
import { shareLatest } from './share-latest.js'

/** Virtual DAA score and sink blue score. */
export interface Scores {
  /**
   * The virtual DAA score, by which maturity is computed. Hot and shared; replays the latest score of this network.
   * Emits only changes, never errors, completes with the engine. The node is subscribed while there are subscribers;
   * after a reconnect, and on another network, it continues with the score of the new connection.
   */
  readonly virtualDaaScore$: Observable<bigint>
  /** The sink's blue score, by which confirmations are counted. Otherwise like `virtualDaaScore$`. */
  readonly sinkBlueScore$: Observable<bigint>
}

export function createScores(
  node: Pick<NodeLink, 'network$' | 'session$' | 'serverInfo$' | 'call' | 'events$' | 'acquire'>,
): Scores {
  const daaScore$ = node.serverInfo$.pipe(
    filter((facts) => facts !== null),
    map(({ virtualDaaScore }) => virtualDaaScore),
  )
  const virtualDaaScore$ = using(
    () => node.acquire({ type: 'virtual-daa-score-changed' }),
    () => daaScore$,
  )
  const notified$ = node.events$('sink-blue-score-changed').pipe(map(({ data }) => data.sinkBlueScore))
  const fetched$ = node.call('getSinkBlueScore', {}).pipe(
    map(({ blueScore }) => blueScore),
    catchError(() => EMPTY), // the next block notifies the score
    takeUntil(notified$), // a notified score is newer than the response
  )
  const fetchedPerSession$ = node.session$.pipe(switchMap((session) => (session === null ? EMPTY : fetched$)))
  /** Drops the replayed score of another network, which would give wrong confirmation counts. */
  const perNetwork = (score$: Observable<bigint>): Observable<bigint> =>
    node.network$.pipe(
      map(() => score$.pipe(shareLatest())),
      shareLatest(),
      switchAll(),
    )
  return {
    virtualDaaScore$: perNetwork(virtualDaaScore$),
    sinkBlueScore$: perNetwork(merge(notified$, fetchedPerSession$)),
  }
}
