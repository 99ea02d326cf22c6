import { BehaviorSubject, ReplaySubject, Subject, distinctUntilChanged, filter, map, skip, using } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcEvent, RpcEventType } from '../../model/event.js'
import type { ChainNetwork } from '../../model/network.js'
import type { NotificationScope, RpcEventMap, RpcMethod } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Platform } from '../../platform/port.js'
import { createAdaptiveHeartbeat, type HeartbeatPolicy } from '../connection/policy.js'
import { createConnection, type ConnectionDeps, type Connector } from '../connection/connection.js'
import type { Connection } from '../connection/state.js'
import type { Target } from '../connection/endpoints.js'
import { type SubscriptionCounts, type Placed, createSubscriptions } from '../subscriptions/subscriptions.js'
import {
  createCall,
  createCallOn,
  createRequest,
  type Call,
  type CallDeps,
  type CallOn,
  type Request,
  reportFaults,
} from './call.js'
import type { Establish, EstablishDeps, Session } from './establish.js'
import { connectionEvents$, isOfType, toEvent, toScope, type ChainEvent } from './events.js'
import { UNKNOWN_SERVER, isSameServer, toServerState, type ServerInfo, type ServerState } from './server-state.js'

/**
 * Events of one type with their time of arrival. Hot and shared: every subscriber receives the same objects, also after
 * another subscriber throws. Replays nothing. In the node's order within a type; a node keeps no order between types.
 * Never errors, completes with the engine. Events during a disconnect are not emitted; the state streams backfill them.
 * The node is subscribed while there are subscribers, to `utxos-changed` for the tracked addresses. Throws `ChainError`
 * (`invalid-argument`) for an unknown type.
 */
export type EventStreams = <Type extends RpcEventType>(type: Type) => Observable<RpcEvent<RpcEventMap[Type]>>

export interface NodeLinkDeps
  extends
    Omit<ConnectionDeps<Session>, 'establish' | 'platform'>,
    Pick<EstablishDeps, 'platform' | 'requestTimeout'>,
    Pick<CallDeps, 'toNotConnected' | 'onInvalidEntries'> {
  readonly establish: Establish
  /** Null if the heartbeat is disabled. */
  readonly heartbeat: HeartbeatPolicy | null
  /** Called on each `acquire`, connected or not. */
  readonly onAcquire: () => void
}

/** The current node, across reconnects. Every feature builds on it. */
export interface NodeLink {
  readonly platform: Platform
  readonly connector: Connector<Session>
  /** The requested network. */
  readonly network: () => ChainNetwork
  /** The requested network as a stream. Replays, emits only changes. */
  readonly network$: Observable<ChainNetwork>
  /** The current session; null without a connection. Replays, emits only changes. */
  readonly session$: Observable<Session | null>
  /** Whether a handshake with a node of this network has succeeded. */
  readonly hasConnected: () => boolean
  /** The information of the current or the last node; null before the first handshake. Replays. */
  readonly serverInfo$: Observable<ServerInfo | null>
  /** Requests the node's information; `serverInfo$` emits within the request timeout, unless the connection ends. */
  readonly requestServerInfo: () => void
  /**
   * The public state of the node. Hot and shared; replays the latest state, all null before the first handshake. Emits
   * only changes, never errors, completes with the engine. Subscribing neither dials nor sends requests.
   */
  readonly server$: Observable<ServerState>
  /** Every received event, also those during a handshake, before `session$` emits. */
  readonly received$: Observable<ChainEvent>
  /** Errors of malformed notifications: state derived from notifications must be read again. */
  readonly malformed$: Observable<ChainRpcError>
  /** Events of one type; the node is subscribed while there are subscribers. */
  readonly events$: EventStreams
  readonly call: Call
  /** As `call`, as a promise. */
  readonly request: Request
  readonly callOn: CallOn
  /** The method of each successful call, on its response. */
  readonly responses$: Observable<RpcMethod>
  /** Connects as for the first subscriber, where the engine does. */
  readonly autoConnect: () => void
  /** The requested network, encoding and endpoints. */
  readonly target: () => Target
  /** Opens a connection of its own to an endpoint of the target; cold, without handshake. */
  readonly dial: (url: string) => Observable<NodeConnection>
  /**
   * Reports the node of a session as faulty; connects to another endpoint, where there is one. Does nothing where the
   * session has ended: of several followers that read from one node, the last would otherwise leave the node after it.
   */
  readonly leaveNode: (session: Session) => void
  /** Subscribes the node to a scope until the result is unsubscribed. */
  readonly acquire: (scope: NotificationScope) => Subscription
  /** The subscriptions placed on the current connection, and the refused ones. Replays, emits only changes. */
  readonly placed$: Observable<Placed>
  /** How often each scope is acquired; current at every read. */
  readonly subscriptionCounts: SubscriptionCounts
  /** Emits once, on `dispose`. Replays. */
  readonly ended$: Observable<void>
  readonly dispose: () => void
}

/** Combines connection, subscriptions and calls. */
export function createNodeLink(deps: NodeLinkDeps): NodeLink {
  const { platform } = deps
  const now = (): number => platform.now()
  const serverInfo$ = new BehaviorSubject<ServerInfo | null>(null)
  const received$ = new Subject<ChainEvent>()
  const malformed$ = new Subject<ChainRpcError>()
  const responses$ = new Subject<RpcMethod>()
  const infoRequested$ = new Subject<void>()
  const ended$ = new ReplaySubject<void>(1)

  const subscriptions = createSubscriptions(platform)
  const heartbeat = deps.heartbeat === null ? null : createAdaptiveHeartbeat(deps.heartbeat)
  const handlers: Pick<EstablishDeps, 'serverInfo' | 'onNotification' | 'onServerInfo' | 'onMalformed'> = {
    serverInfo: () => serverInfo$.value,
    onNotification: (notification) => received$.next(toEvent(notification, now())),
    onServerInfo: (info) => serverInfo$.next(info),
    onMalformed: (error) => malformed$.next(error),
  }
  const connector = createConnection<Session>({
    ...deps,
    establish: (socket, target) =>
      deps.establish(socket, target, { ...deps, ...handlers, heartbeat, subscriptions, responses$, infoRequested$ }),
  })
  const session$ = connector.state$.pipe(map(toSession), distinctUntilChanged())
  const network$ = connector.state$.pipe(
    map(({ target }) => target.network),
    distinctUntilChanged(),
  )
  const server$ = serverInfo$.pipe(map(toServerStateAt(now)), distinctUntilChanged(isSameServer))
  const lifetime = connectionEvents$(connector.state$, now).subscribe((event) => received$.next(event))
  lifetime.add(reportFaults(connector, session$, server$))
  lifetime.add(network$.pipe(skip(1)).subscribe(() => serverInfo$.next(null))) // information of another network's node

  const callDeps: CallDeps = {
    ...deps,
    session: () => toSession(connector.state),
    onResponse: (method) => responses$.next(method),
  }

  const acquire: NodeLink['acquire'] = (scope) => {
    const acquired = subscriptions.acquire(scope)
    deps.onAcquire()
    return acquired
  }
  return {
    platform,
    connector,
    network: () => connector.state.target.network,
    network$,
    session$,
    hasConnected: () => serverInfo$.value !== null,
    serverInfo$: serverInfo$.asObservable(),
    requestServerInfo: () => infoRequested$.next(),
    server$,
    received$: received$.asObservable(),
    malformed$: malformed$.asObservable(),
    events$: (type) => eventsOfType$(type, received$, acquire),
    call: createCall(callDeps),
    request: createRequest(callDeps),
    callOn: createCallOn(callDeps),
    responses$: responses$.asObservable(),
    autoConnect: () => deps.onAcquire(),
    target: () => connector.state.target,
    dial: (url) => deps.node.dial({ url, encoding: connector.state.target.encoding }),
    leaveNode: (session) => leaveNode(connector, session),
    acquire,
    placed$: subscriptions.placed$,
    subscriptionCounts: subscriptions.desired.counts,
    ended$: ended$.asObservable(),
    dispose: () => {
      connector.dispose()
      subscriptions.dispose()
      lifetime.unsubscribe()
      received$.complete()
      malformed$.complete()
      serverInfo$.complete()
      ended$.next()
    },
  }
}

/** A resolver provides other nodes than the reported one. */
function leaveNode(connector: Connector<Session>, session: Session): void {
  const { state } = connector
  if (state.status !== 'connected' || state.session !== session) return
  connector.reportFault(state.dial)
  const { urls, resolver } = state.target
  if (urls.length > 1 || resolver === 'use') connector.reconnect().catch(() => undefined) // reported by its state
}

const toSession = (state: Connection<Session>): Session | null => (state.status === 'connected' ? state.session : null)

const toServerStateAt =
  (now: () => number) =>
  (info: ServerInfo | null): ServerState =>
    info === null ? UNKNOWN_SERVER : toServerState(info, now())

/** Events of one type; acquires their scope while subscribed. */
function eventsOfType$<Type extends RpcEventType>(
  type: Type,
  received$: Observable<ChainEvent>,
  acquire: NodeLink['acquire'],
): Observable<RpcEvent<RpcEventMap[Type]>> {
  const scope = toScope(type)
  const events$ = received$.pipe(filter(isOfType(type)))
  return scope === null
    ? events$
    : using(
        () => acquire(scope),
        () => events$,
      )
}
