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
  type Observable,
  pairwise,
} from 'rxjs'
import type { RpcResponse, NodeNotification, RpcMethod } from '../../node/messages/records.js'
import type { Clock } from '../connection/heartbeat.js'
import { LAG_AFTER, type ServerInfo } from './server-state.js'
import type { NodeConnection } from '../../node/port.js'

/** Poll interval of a node that is not synced, ms. */
const SYNC_POLL = 2_000

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

/** The initial information, from the handshake. */
export function toServerInfo(info: RpcResponse<'getServerInfo'>, now: number): ServerInfo {
  const { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore } = info
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, daaScoreChangedAt: now }
}

/** Applies a later response; the same object if nothing changed. */
function updateServerInfo(current: ServerInfo, info: RpcResponse<'getServerInfo'>, now: number): ServerInfo {
  const next = updateDaaScore(current, info.virtualDaaScore, now)
  const { isSynced, hasUtxoIndex, networkId } = info
  return next.isSynced === isSynced && next.hasUtxoIndex === hasUtxoIndex && next.networkId === networkId
    ? next
    : { ...next, isSynced, hasUtxoIndex, networkId }
}

/** Applies a DAA score. After a clock was set back, an unchanged score counts as changed now. */
function updateDaaScore(current: ServerInfo, virtualDaaScore: bigint, now: number): ServerInfo {
  if (current.virtualDaaScore === virtualDaaScore && current.daaScoreChangedAt <= now) return current
  // no spread: it is slower than everything else here
  const { serverVersion, networkId, isSynced, hasUtxoIndex } = current
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, daaScoreChangedAt: now }
}

interface InfoTriggersDeps {
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
