import { EMPTY, catchError, filter, map, merge, switchAll, switchMap, takeUntil, using, type Observable } from 'rxjs'
import type { NodeLink } from './session/node-link.js'
import { shareLatest } from './share-latest.js'

/** The network's two clocks. */
export interface Scores {
  /**
   * The virtual DAA score, which counts blocks and dates coins. Hot and shared; a late subscriber gets the latest at once,
   * if a node of this network has said one. Emits only changes, never errors, completes with the engine. The node is
   * subscribed to it while anyone listens; after a reconnect, and on another network, it goes on with what the new
   * connection says.
   */
  readonly virtualDaaScore$: Observable<bigint>
  /** The sink's blue score, which counts confirmations. Promises what `virtualDaaScore$` promises. */
  readonly sinkBlueScore$: Observable<bigint>
}

export function createScores(
  node: Pick<NodeLink, 'network$' | 'session$' | 'facts$' | 'call' | 'events$' | 'want'>,
): Scores {
  const known$ = node.facts$.pipe(
    filter((facts) => facts !== null),
    map(({ virtualDaaScore }) => virtualDaaScore),
  )
  const virtualDaaScore$ = using(
    () => node.want({ type: 'virtual-daa-score-changed' }),
    () => known$,
  )
  const told$ = node.events$('sink-blue-score-changed').pipe(map(({ data }) => data.sinkBlueScore))
  const asked$ = node.call('getSinkBlueScore', {}).pipe(
    map(({ blueScore }) => blueScore),
    catchError(() => EMPTY), // the next block tells
    takeUntil(told$), // and what it tells is newer than what is still to be answered
  )
  const greeted$ = node.session$.pipe(switchMap((session) => (session === null ? EMPTY : asked$)))
  /** What another network's node has said is replayed to nobody: by its score, a payment would have confirmations that it has not. */
  const perNetwork = (score$: Observable<bigint>): Observable<bigint> =>
    node.network$.pipe(
      map(() => score$.pipe(shareLatest())),
      shareLatest(),
      switchAll(),
    )
  return {
    virtualDaaScore$: perNetwork(virtualDaaScore$),
    sinkBlueScore$: perNetwork(merge(told$, greeted$)),
  }
}
