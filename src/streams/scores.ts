import {
  EMPTY,
  catchError,
  combineLatest,
  distinctUntilChanged,
  filter,
  map,
  merge,
  pairwise,
  share,
  startWith,
  switchAll,
  switchMap,
  throttleTime,
  using,
  withLatestFrom,
  type Observable,
} from 'rxjs'
import type { NodeLink } from './session/node-link.js'
import { shareLatest } from './share-latest.js'

/** Virtual DAA score and sink blue score. */
export interface Scores {
  /**
   * The virtual DAA score, by which maturity is computed. Hot and shared; replays the latest score of this network.
   * Emits only changes, never errors, completes with the engine. The node is subscribed while there are subscribers;
   * the score is read once the subscription is placed, and again after a notification that is malformed or out of
   * order. After a reconnect, and on another network, it continues with the score of the new connection.
   */
  readonly virtualDaaScore$: Observable<bigint>
  /** The sink's blue score, by which confirmations are counted. Otherwise like `virtualDaaScore$`. */
  readonly sinkBlueScore$: Observable<bigint>
}

export type ScoresDeps = Pick<
  NodeLink,
  'network$' | 'session$' | 'serverInfo$' | 'placed$' | 'malformed$' | 'call' | 'events$' | 'acquire' | 'platform'
>

/** Minimum ms between two reads because of malformed or reordered notifications. */
const MIN_INTERVAL = 250

export function createScores(node: ScoresDeps): Scores {
  const daaScore$ = node.serverInfo$.pipe(
    filter((facts) => facts !== null),
    map(({ virtualDaaScore }) => virtualDaaScore),
  )
  const virtualDaaScore$ = using(
    () => node.acquire({ type: 'virtual-daa-score-changed' }),
    () => daaScore$,
  )
  /** Drops the replayed score of another network, which would give wrong confirmation counts. */
  const perNetwork = (score$: Observable<bigint>): Observable<bigint> =>
    node.network$.pipe(
      map(() => score$.pipe(shareLatest())),
      shareLatest(),
      switchAll(),
    )
  return {
    virtualDaaScore$: perNetwork(virtualDaaScore$),
    sinkBlueScore$: perNetwork(blueScore$(node)),
  }
}

/** Notified scores, and those read where notifications may be missing or out of order. */
function blueScore$({ session$, placed$, malformed$, call, events$, platform }: ScoresDeps): Observable<bigint> {
  const notified$ = events$('sink-blue-score-changed').pipe(
    map(({ data }) => data.sinkBlueScore),
    share(),
  )
  const read$ = call('getSinkBlueScore', {}).pipe(
    withLatestFrom(notified$.pipe(startWith(null))),
    // a score notified during the request may be newer than the response
    map(([{ blueScore }, notified]) => (notified !== null && notified > blueScore ? notified : blueScore)),
    catchError(() => EMPTY), // the next block notifies the score
  )
  const isPlaced$ = placed$.pipe(
    map(({ scopes }) => scopes.has('sink-blue-score-changed')),
    distinctUntilChanged(),
  )
  const outOfOrder$ = notified$.pipe(
    pairwise(),
    filter(([before, after]) => after < before),
  )
  const rereads$ = merge(malformed$, outOfOrder$).pipe(
    throttleTime(MIN_INTERVAL, platform.scheduler, { leading: true, trailing: true }),
    startWith(undefined),
  )
  const reads$ = combineLatest([session$, isPlaced$, rereads$]).pipe(
    switchMap(([session]) => (session === null ? EMPTY : read$)),
  )
  return merge(notified$, reads$)
}
