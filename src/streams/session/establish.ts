import { EMPTY, NEVER, catchError, defer, filter, map, merge, of, skip, switchMap, tap, type Observable } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { NodeNotification } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Platform } from '../../platform/port.js'
import type { Beat } from '../connection/beat.js'
import { unanswered } from '../connection/connect-errors.js'
import { heartbeat$ } from '../connection/heartbeat.js'
import type { Target } from '../connection/target.js'
import { heed$ } from '../heed.js'
import { keepPlaced$ } from '../subscriptions/keep-placed.js'
import type { Subscriptions } from '../subscriptions/subscriptions.js'
import { handshake$ } from './handshake.js'
import { obstacleTo } from './obstacles.js'
import { toServerFacts } from './learn-facts.js'
import type { ServerFacts } from './server-facts.js'
import { watchServer$ } from './watch-server.js'

/** How a session is made of an open socket. */
export type Establish = typeof establish$

/** A connection whose handshake is done, and what the node said of itself in it. */
export interface Session {
  readonly connection: NodeConnection
  readonly greeting: ServerFacts
}

export interface EstablishDeps {
  readonly platform: Platform
  readonly requestTimeout: number
  /** Null where the heartbeat is switched off. */
  readonly beat: Beat | null
  readonly subscriptions: Pick<Subscriptions, 'desired' | 'place'>
  /** Hears every notification, from the first on: some come while subscriptions are still being placed. */
  readonly tell: (notification: NodeNotification) => void
  /** Hears what is known of the node, before subscriptions are placed and ever after. */
  readonly learn: (facts: ServerFacts) => void
  /** What has been learnt last. */
  readonly facts: () => ServerFacts | null
  /** Hears of notifications that could not be read. */
  readonly miss: (error: ChainRpcError) => void
  /** Answers to calls: signs of life besides notifications. */
  readonly answered$: Observable<unknown>
}

/**
 * Makes a session of an open socket: asks the node who it is, places what is desired, then emits once. Goes on telling
 * notifications, following what is desired, watching the node's health and its heartbeat. Errors where the node is not
 * the one sought, or is found dead.
 */
export function establish$(connection: NodeConnection, target: Target, deps: EstablishDeps): Observable<Session> {
  const told$ = heed$(connection.notifications$, deps.tell)
  const missed$ = heed$(connection.malformed$ ?? EMPTY, deps.miss)
  const session$ = handshake$(connection, target, deps.requestTimeout).pipe(
    map((info): Session => ({ connection, greeting: toServerFacts(info, deps.platform.now()) })),
    switchMap((session) =>
      merge(watch$(session, deps), beat$(session, deps), place$(session, target, deps).pipe(map(() => session))),
    ),
  )
  return merge(told$, missed$, session$)
}

/** Places what is desired, as far as the node can be trusted with it. */
const place$ = (
  { connection }: Session,
  { network }: Target,
  { subscriptions, facts, platform, requestTimeout }: EstablishDeps,
): Observable<void> =>
  keepPlaced$(connection, (address) => obstacleTo(address, network, facts()), {
    ...subscriptions,
    clock: platform,
    requestTimeout,
  })

/** Learns of the node's health. */
function watch$(
  { connection, greeting }: Session,
  { platform, learn, requestTimeout }: EstablishDeps,
): Observable<never> {
  const facts$ = watchServer$(greeting, {
    clock: platform,
    info$: connection.call('getServerInfo', {}, { timeout: requestTimeout }),
    daaScores$: connection.notifications$.pipe(
      filter((one) => one.type === 'virtual-daa-score-changed'),
      map(({ data }) => data.virtualDaaScore),
    ),
  })
  return heed$(facts$, learn)
}

/** Errors when the node is found dead. */
function beat$({ connection }: Session, { platform, beat, answered$ }: EstablishDeps): Observable<never> {
  if (beat === null) return NEVER
  const risen = (state$: Observable<boolean>): Observable<boolean> => state$.pipe(skip(1), filter(Boolean))
  const ping$ = defer(() => {
    const askedAt = platform.now()
    return connection.call('ping', {}, { timeout: beat.timeout }).pipe(
      catchError(toSign),
      tap(() => beat.answered(platform.now() - askedAt)),
    )
  })
  return heartbeat$({
    clock: platform,
    policy: beat,
    heard$: merge(connection.notifications$, answered$),
    wake$: merge(risen(platform.visible$), risen(platform.online$)),
    ping$,
    toError: (timeout) => {
      beat.missed()
      return unanswered(connection.endpoint.url, timeout)
    },
  })
}

/** A refusal is a sign of life too. Whatever else befalls a ping, the deadline or the socket's end will tell. */
const toSign = (error: unknown): Observable<null> =>
  error instanceof ChainRpcError && error.code === 'remote' ? of(null) : NEVER
