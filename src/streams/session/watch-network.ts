import { EMPTY, catchError, exhaustMap, filter, ignoreElements, map, merge, pairwise, tap, type Observable } from 'rxjs'
import type { NodeNotification, RpcMethod } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Target } from '../connection/target.js'
import { requireNetwork } from './handshake.js'

export interface WatchNetworkDeps {
  readonly requestTimeout: number
  /** Responses to pings. */
  readonly pongs$: Observable<unknown>
  /** The methods of the callers' requests that have been responded to. */
  readonly responses$: Observable<RpcMethod>
}

/**
 * Errors with `ChainRpcError` (`wrong-network`) when a connected node serves another network than the target's, as after a
 * change behind a proxy. Requests the network with each heartbeat, with each `getServerInfo` of a caller, and when a score
 * decreases. Never emits.
 */
export function watchNetwork$(
  connection: NodeConnection,
  target: Target,
  { requestTimeout, pongs$, responses$ }: WatchNetworkDeps,
): Observable<never> {
  const info$ = connection.call('getServerInfo', {}, { timeout: requestTimeout }).pipe(catchError(() => EMPTY)) // the heartbeat detects dead connections
  return merge(
    pongs$,
    responses$.pipe(filter((method) => method === 'getServerInfo')),
    decreases$(connection, daaScoreOf),
    decreases$(connection, blueScoreOf),
  ).pipe(
    exhaustMap(() => info$),
    tap((info) => requireNetwork(connection.endpoint.url, info, target)),
    ignoreElements(),
  )
}

type ScoreOf = (notification: NodeNotification) => bigint | null

const daaScoreOf: ScoreOf = ({ type, data }) => (type === 'virtual-daa-score-changed' ? data.virtualDaaScore : null)
const blueScoreOf: ScoreOf = ({ type, data }) => (type === 'sink-blue-score-changed' ? data.sinkBlueScore : null)

const decreases$ = ({ notifications$ }: NodeConnection, scoreOf: ScoreOf): Observable<unknown> =>
  notifications$.pipe(
    map(scoreOf),
    filter((score) => score !== null),
    pairwise(),
    filter(([before, score]) => score < before),
  )
