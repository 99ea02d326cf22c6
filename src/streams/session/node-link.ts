import { BehaviorSubject, ReplaySubject, Subject, distinctUntilChanged, filter, map, skip, using } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcEvent, RpcEventType } from '../../model/event.js'
import type { ChainNetwork } from '../../model/network.js'
import type { NotificationScope, RpcEventMap, RpcMethod } from '../../node/messages/records.js'
import type { Platform } from '../../platform/port.js'
import { createBeat } from '../connection/beat.js'
import { createConnection, type ConnectionDeps, type ConnectionKeeper } from '../connection/connection.js'
import type { Connection } from '../connection/phases.js'
import type { HeartbeatPolicy } from '../connection/policy.js'
import type { Placed } from '../subscriptions/placed.js'
import { createSubscriptions } from '../subscriptions/subscriptions.js'
import { createCall, type Call, type CallDeps } from './call.js'
import type { Establish, EstablishDeps, Session } from './establish.js'
import { connectionEvents$, isOfType, toEvent, toScope, type ChainEvent } from './events.js'
import { reportFaults } from './report-faults.js'
import { UNKNOWN_SERVER, isSameServer, toServerState, type ServerFacts } from './server-facts.js'
import type { ServerState } from './server-state.js'

/**
 * Events of one type, each in an envelope with the time of its arrival. Hot and shared: every listener hears each once, the
 * very same object, and one that throws keeps nobody from hearing. Replays nothing. In the order of the node within a type;
 * between types a node keeps no order. Never errors, completes with the engine. What happened during an outage is not told:
 * the streams that promise to be whole ask for it. The node is subscribed to them while anyone listens, to `utxos-changed`
 * for the addresses that someone tracks. Throws `ChainError` (`invalid-argument`) for a type that there is not.
 */
export type EventStreams = <Type extends RpcEventType>(type: Type) => Observable<RpcEvent<RpcEventMap[Type]>>

export interface NodeLinkDeps
  extends
    Omit<ConnectionDeps<Session>, 'establish' | 'platform'>,
    Pick<EstablishDeps, 'platform' | 'requestTimeout'>,
    Pick<CallDeps, 'toNotConnected'> {
  readonly establish: Establish
  /** Null where the heartbeat is switched off. */
  readonly heartbeat: HeartbeatPolicy | null
  /** Told whenever someone wants to be told of something, connected or not. */
  readonly onWanted: () => void
}

/** The node, whichever it is just now: what every feature is built on. */
export interface NodeLink {
  readonly platform: Platform
  readonly keeper: ConnectionKeeper<Session>
  /** The network that is sought. */
  readonly network: () => ChainNetwork
  /** The same as a stream. Replays it, emits only changes. */
  readonly network$: Observable<ChainNetwork>
  /** The session of now, null between two. Replays it, emits only changes. */
  readonly session$: Observable<Session | null>
  /** Whether a node of this network has ever answered. */
  readonly hasMet: () => boolean
  /** What is known of the node of now, or of the last one; null before the first handshake. Replays it. */
  readonly facts$: Observable<ServerFacts | null>
  /**
   * The same as everybody may see it. Hot and shared; a late subscriber gets what was said last at once, all null before
   * anything was. In the order of the node's words, of a new node's after the old one's. Emits only changes, never errors,
   * completes with the engine. Watching it neither dials nor asks: a session looks after its node by itself.
   */
  readonly server$: Observable<ServerState>
  /** Every event, for whatever reason it came; also those of a handshake, before `session$` tells of it. */
  readonly heard$: Observable<ChainEvent>
  /** Errors of notifications that came and could not be read: whoever keeps state by them must look again. */
  readonly missed$: Observable<ChainRpcError>
  /** Events of one type; the node is subscribed to them while anyone listens. */
  readonly events$: EventStreams
  readonly call: Call
  /** The method of each call, when it has been answered. */
  readonly answered$: Observable<RpcMethod>
  /** Wants notifications until the result is unsubscribed. */
  readonly want: (scope: NotificationScope) => Subscription
  /** What the node of now is subscribed to, and what it refused. Replays it, emits only changes. */
  readonly placed$: Observable<Placed>
  /** Emits once, when the link has been disposed of; replays it. */
  readonly ended$: Observable<void>
  readonly dispose: () => void
}

/** Joins connection, subscriptions and calls. */
export function createNodeLink(deps: NodeLinkDeps): NodeLink {
  const { platform } = deps
  const now = (): number => platform.now()
  const facts$ = new BehaviorSubject<ServerFacts | null>(null)
  const heard$ = new Subject<ChainEvent>()
  const missed$ = new Subject<ChainRpcError>()
  const answered$ = new Subject<RpcMethod>()
  const ended$ = new ReplaySubject<void>(1)

  const subscriptions = createSubscriptions(platform)
  const beat = deps.heartbeat === null ? null : createBeat(deps.heartbeat)
  const facts: EstablishDeps['facts'] = () => facts$.value
  const tell: EstablishDeps['tell'] = (notification) => heard$.next(toEvent(notification, now()))
  const learn: EstablishDeps['learn'] = (facts) => facts$.next(facts)
  const miss: EstablishDeps['miss'] = (error) => missed$.next(error)
  const keeper = createConnection<Session>({
    ...deps,
    establish: (socket, target) =>
      deps.establish(socket, target, { ...deps, beat, subscriptions, answered$, facts, tell, learn, miss }),
  })
  const session$ = keeper.state$.pipe(map(toSession), distinctUntilChanged())
  const network$ = keeper.state$.pipe(
    map(({ target }) => target.network),
    distinctUntilChanged(),
  )
  const server$ = facts$.pipe(map(toServerStateAt(now)), distinctUntilChanged(isSameServer))
  const watches = connectionEvents$(keeper.state$, now).subscribe((event) => heard$.next(event))
  watches.add(reportFaults(keeper, session$, server$))
  watches.add(network$.pipe(skip(1)).subscribe(() => facts$.next(null))) // they were those of another network's node

  const want: NodeLink['want'] = (scope) => {
    const wanted = subscriptions.want(scope)
    deps.onWanted()
    return wanted
  }
  return {
    platform,
    keeper,
    network: () => keeper.state.target.network,
    network$,
    session$,
    hasMet: () => facts$.value !== null,
    facts$: facts$.asObservable(),
    server$,
    heard$: heard$.asObservable(),
    missed$: missed$.asObservable(),
    events$: (type) => listen$(type, heard$, want),
    call: createCall({
      ...deps,
      session: () => toSession(keeper.state),
      onAnswered: (method) => answered$.next(method),
    }),
    answered$: answered$.asObservable(),
    want,
    placed$: subscriptions.placed$,
    ended$: ended$.asObservable(),
    dispose: () => {
      keeper.dispose()
      subscriptions.dispose()
      watches.unsubscribe()
      heard$.complete()
      missed$.complete()
      facts$.complete()
      ended$.next()
    },
  }
}

const toSession = (state: Connection<Session>): Session | null => (state.status === 'connected' ? state.session : null)

const toServerStateAt =
  (now: () => number) =>
  (facts: ServerFacts | null): ServerState =>
    facts === null ? UNKNOWN_SERVER : toServerState(facts, now())

/** Events of one type, wanted while they are listened to. */
function listen$<Type extends RpcEventType>(
  type: Type,
  heard$: Observable<ChainEvent>,
  want: NodeLink['want'],
): Observable<RpcEvent<RpcEventMap[Type]>> {
  const scope = toScope(type)
  const events$ = heard$.pipe(filter(isOfType(type)))
  return scope === null
    ? events$
    : using(
        () => want(scope),
        () => events$,
      )
}
