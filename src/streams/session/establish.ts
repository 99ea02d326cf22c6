import {
  EMPTY,
  NEVER,
  Subject,
  catchError,
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  of,
  skip,
  switchMap,
  tap,
  type Observable,
} from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { NodeNotification, RpcMethod } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Platform } from '../../platform/port.js'
import type { AdaptiveHeartbeat } from '../connection/policy.js'
import { heartbeat$, pingTimedOut } from '../connection/heartbeat.js'
import type { Target } from '../connection/endpoints.js'
import { consume$ } from '../consume.js'
import { placeSubscriptions$ } from '../subscriptions/place-subscriptions.js'
import type { Subscriptions } from '../subscriptions/subscriptions.js'
import { handshake$, requireNetwork } from './handshake.js'
import { addressError } from './address-errors.js'
import { infoTriggers$, toServerInfo, watchServer$ } from './watch-server.js'
import { withoutForeignEntries } from './requested-entries.js'
import type { ServerInfo } from './server-state.js'

/** The function that creates a session from an open socket. */
export type Establish = typeof establish$

/** A connection after the handshake, with the node's information. */
export interface Session {
  readonly connection: NodeConnection
  readonly serverInfo: ServerInfo
  /** The check of UTXO entries, which needs addresses: loaded with the session, not with the engine. */
  readonly withoutForeignEntries: typeof withoutForeignEntries
}

export interface EstablishDeps {
  readonly platform: Platform
  readonly requestTimeout: number
  /** Null if the heartbeat is disabled. */
  readonly heartbeat: AdaptiveHeartbeat | null
  readonly subscriptions: Pick<Subscriptions, 'desired' | 'setPlaced' | 'placed$'>
  /** Receives every notification; some arrive while subscriptions are being placed. */
  readonly onNotification: (notification: NodeNotification) => void
  /** Receives the node's information, before subscriptions are placed and after each update. */
  readonly onServerInfo: (serverInfo: ServerInfo) => void
  /** The latest information. */
  readonly serverInfo: () => ServerInfo | null
  /** Requests for the node's information. */
  readonly infoRequested$: Observable<void>
  /** Receives the errors of malformed notifications. */
  readonly onMalformed: (error: ChainRpcError) => void
  /** Responses to calls, which also keep the heartbeat idle timer from expiring. */
  readonly responses$: Observable<RpcMethod>
}

/**
 * Creates a session from an open socket: performs the handshake, places the desired subscriptions, then emits once.
 * While subscribed it forwards notifications, updates subscriptions, and polls health and heartbeat. Errors if the
 * handshake fails or the node stops responding.
 */
export function establish$(connection: NodeConnection, target: Target, deps: EstablishDeps): Observable<Session> {
  const notifications$ = consume$(connection.notifications$, deps.onNotification)
  const malformed$ = consume$(connection.malformed$ ?? EMPTY, deps.onMalformed)
  const session$ = handshake$(connection, target, deps.requestTimeout).pipe(
    map((info): Session => ({
      connection,
      serverInfo: toServerInfo(info, deps.platform.now()),
      withoutForeignEntries,
    })),
    switchMap((session) => {
      const pongs$ = new Subject<void>()
      return merge(
        watch$(session, pongs$, target, deps),
        pings$(session, pongs$, deps),
        place$(session, target, deps).pipe(map(() => session)),
      )
    }),
  )
  return merge(notifications$, malformed$, session$)
}

/** Places the desired subscriptions, except those of invalid addresses. */
const place$ = (
  { connection }: Session,
  { network }: Target,
  { subscriptions, serverInfo, platform, requestTimeout }: EstablishDeps,
): Observable<void> =>
  placeSubscriptions$(connection, (address) => addressError(address, network, serverInfo()), {
    ...subscriptions,
    clock: platform,
    requestTimeout,
  })

/** Polls the node's health. Errors with `wrong-network` when the node serves another network. */
function watch$(
  { connection, serverInfo }: Session,
  pongs$: Observable<void>,
  target: Target,
  { platform, onServerInfo, requestTimeout, infoRequested$, responses$, subscriptions }: EstablishDeps,
): Observable<never> {
  const scoresPlaced$ = subscriptions.placed$.pipe(
    map(({ scopes }) => scopes.has('virtual-daa-score-changed')),
    distinctUntilChanged(),
  )
  const updates$ = watchServer$(serverInfo, {
    clock: platform,
    info$: connection.call('getServerInfo', {}, { timeout: requestTimeout }),
    daaScores$: connection.notifications$.pipe(
      filter((notification) => notification.type === 'virtual-daa-score-changed'),
      map(({ data }) => data.virtualDaaScore),
    ),
    requested$: infoRequested$,
    triggers$: infoTriggers$(connection, { pongs$, responses$, scoresPlaced$ }),
  })
  const ofTarget$ = updates$.pipe(tap((info) => requireNetwork(connection.endpoint.url, info, target)))
  return consume$(ofTarget$, onServerInfo)
}

/** Errors when the node stops responding. `pongs$` is notified of each response to a ping. */
function pings$(
  { connection }: Session,
  pongs$: Subject<void>,
  { platform, heartbeat, responses$ }: EstablishDeps,
): Observable<never> {
  if (heartbeat === null) return NEVER
  const becomesTrue$ = (state$: Observable<boolean>): Observable<boolean> => state$.pipe(skip(1), filter(Boolean))
  const ping$ = defer(() => {
    const sentAt = platform.now()
    return connection.call('ping', {}, { timeout: heartbeat.timeout }).pipe(
      catchError(toPong),
      tap(() => {
        heartbeat.onPong(platform.now() - sentAt)
        pongs$.next()
      }),
    )
  })
  return heartbeat$({
    clock: platform,
    policy: heartbeat,
    received$: merge(connection.notifications$, responses$),
    wake$: merge(becomesTrue$(platform.visible$), becomesTrue$(platform.online$)),
    ping$,
    toError: (timeout) => {
      heartbeat.onTimeout()
      return pingTimedOut(connection.endpoint.url, timeout)
    },
  })
}

/** An error reply counts as a response. Other failures end by the heartbeat timeout or the socket's close. */
const toPong = (error: unknown): Observable<null> =>
  error instanceof ChainRpcError && error.code === 'remote' ? of(null) : NEVER
