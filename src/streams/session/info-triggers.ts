import { filter, map, merge, pairwise, type Observable } from 'rxjs'
import type { NodeNotification, RpcMethod } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'

export interface InfoTriggersDeps {
  /** Responses to pings. */
  readonly pongs$: Observable<unknown>
  /** The methods of the callers' requests that have been responded to. */
  readonly responses$: Observable<RpcMethod>
  /** Whether the node has confirmed the subscription to DAA scores. Replays, emits only changes. */
  readonly scoresPlaced$: Observable<boolean>
}

/**
 * Emits when the node's information may differ from what is known:
 * - its network: with each heartbeat, with each `getServerInfo` of a caller, and when a score decreases, as after a
 *   change behind a proxy
 * - its DAA score: once the subscription is placed, because a block may have come after the handshake read it; when a
 *   score decreases, because notifications may be out of order; after a malformed notification
 */
export const infoTriggers$ = (
  connection: NodeConnection,
  { pongs$, responses$, scoresPlaced$ }: InfoTriggersDeps,
): Observable<unknown> =>
  merge(
    pongs$,
    responses$.pipe(filter((method) => method === 'getServerInfo')),
    decreases$(connection, daaScoreOf),
    decreases$(connection, blueScoreOf),
    scoresPlaced$.pipe(filter(Boolean)),
    ...(connection.malformed$ === undefined ? [] : [connection.malformed$]),
  )

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
