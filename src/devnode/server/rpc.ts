import type { RpcEncoding } from '../../model/network.js'
import type { NotificationScope, NodeNotification } from '../../node/messages/records.js'
import type { FaultTarget } from '../faults/fault.js'
import type { FaultLayer } from '../faults/faults.js'
import type { LiveLedger } from '../live-ledger.js'
import type { Machine, Timers, Identity } from '../machine.js'
import { type ConnectionContext, createConnection, type Connection, type ServerSocket } from './connection.js'
import type { Traffic, TrafficByEncoding } from './handlers/handler.js'
import type { SubscriptionRequest } from './subscriptions.js'
import type { Frame } from '../../wrpc/codec.js'
import { sleep } from '../../loading/abortable.js'

/** The state of one client connection. */
export interface DevnodeConnection {
  /** Its number, counted by its server since the start. */
  readonly id: bigint
  readonly encoding: RpcEncoding
  /** Its current subscriptions. */
  readonly subscriptions: readonly NotificationScope[]
  /** Its subscribe and unsubscribe requests in order, duplicates included: the newest thousand. */
  readonly requests: readonly SubscriptionRequest[]
}

/** What the servers of a node share; kept across restarts. */
export interface RpcContext {
  readonly live: LiveLedger
  readonly identity: Identity
  readonly faults: FaultLayer
  readonly timers: Timers
  readonly machine: Machine
}

/** The RPC side of a running node: one server for each encoding. */
export interface Rpc {
  connections(): readonly DevnodeConnection[]
  targets(): readonly FaultTarget[]
  /** Number of open sockets, including those without a completed handshake. */
  sockets(): number
  close(): Promise<void>
}

/** The server of one encoding. */
export interface RpcServer extends Pick<WrpcEndpoint, 'connections' | 'notify'> {
  traffic(): Traffic
  /** Number of open sockets, WebSockets or not. */
  sockets(): number
}

/** The servers of both encodings; undefined until started. */
export interface RpcServers<S extends RpcServer = RpcServer> {
  borsh?: S
  json?: S
}

const NO_TRAFFIC: Traffic = { live: 0, attempts: 0, failures: 0, bytesSent: 0, bytesReceived: 0 }

/** What the connections of both encodings share. */
export function toConnectionContext(
  { live, identity, faults, timers, machine }: RpcContext,
  servers: RpcServers,
): Omit<ConnectionContext, 'codec'> {
  const prefix = live.ledger.network.addressPrefix
  const traffic = (): TrafficByEncoding => ({
    borsh: servers.borsh?.traffic() ?? NO_TRAFFIC,
    json: servers.json?.traffic() ?? NO_TRAFFIC,
  })
  return { prefix, faults, timers, node: { live, identity, machine, traffic } }
}

/** Both servers as one, notified of each step of the ledger until it is closed by `stop`. */
export function createRpc(servers: Required<RpcServers>, live: LiveLedger, stop: () => Promise<void>): Rpc {
  const both = [servers.borsh, servers.json]
  const unsubscribe = live.subscribe((events) => {
    for (const server of both) server.notify(events)
  })
  return {
    connections: () => [...toConnections('Borsh', servers.borsh), ...toConnections('SerdeJson', servers.json)],
    targets: () => both.flatMap((server) => server.connections()),
    sockets: () => both.reduce((sum, server) => sum + server.sockets(), 0),
    async close() {
      unsubscribe()
      await stop()
    },
  }
}

const toConnections = (encoding: RpcEncoding, server: RpcServer): readonly DevnodeConnection[] =>
  server.connections().map((connection) => ({
    id: connection.id,
    encoding,
    subscriptions: connection.scopes(),
    requests: connection.requests(),
  }))

/** The connections of one encoding. */
export interface WrpcEndpoint {
  /** Serves a client from now on, until its socket closes. */
  serve(socket: ServerSocket): Connection
  connections(): readonly Connection[]
  /** Sends the notifications of one ledger step to the connections that have subscribed to them. */
  notify(events: readonly NodeNotification[]): void
  /** Drops every connection, as a stopping node does. */
  cutAll(): void
}

export function createWrpcEndpoint(context: ConnectionContext): WrpcEndpoint {
  const connections = new Set<Connection>()
  let opened = 0n
  return {
    serve(socket) {
      const connection = createConnection(opened++, socket, context)
      connections.add(connection)
      socket.onClose(() => connections.delete(connection))
      return connection
    },
    connections: () => [...connections],
    notify(events) {
      const encode = memoize((event: NodeNotification): Frame => context.codec.encodeNotification(event))
      for (const connection of connections) connection.notify(events, encode)
    },
    cutAll() {
      for (const connection of connections) connection.cut()
    },
  }
}

/** Memoizes a function by its argument. */
function memoize<A, R>(work: (argument: A) => R): (argument: A) => R {
  const results = new Map<A, R>()
  return (argument) => {
    const cached = results.get(argument)
    if (cached !== undefined) return cached
    const result = work(argument)
    results.set(argument, result)
    return result
  }
}

/** The node's RPC servers, which keep their addresses across restarts. */
export interface RestartableRpc extends Rpc {
  /**
   * Stops the servers, runs `whileDown`, and starts them at the same addresses after `downtime` ms. A concurrent call
   * shares the restart; its `whileDown` does not run.
   */
  restart(downtime: number, whileDown?: () => void): Promise<void>
}

/** The servers `first`, which `start` replaces at each restart. */
export function createRestartableRpc(first: Rpc, start: () => Rpc | Promise<Rpc>, timers: Timers): RestartableRpc {
  let running: Rpc | undefined = first
  let restarting: Promise<void> | undefined
  const closed = new AbortController()

  const stop = async () => {
    const stopped = running
    running = undefined
    await stopped?.close()
  }
  const startAgain = async (downtime: number, whileDown: () => void) => {
    await stop()
    whileDown()
    await sleep(downtime, closed.signal, (ms, done) => timers.after(ms, done))
    if (!closed.signal.aborted) running = await start()
  }
  return {
    connections: () => running?.connections() ?? [],
    targets: () => running?.targets() ?? [],
    sockets: () => running?.sockets() ?? 0,
    restart: (downtime, whileDown = () => undefined) =>
      (restarting ??= startAgain(downtime, whileDown).finally(() => (restarting = undefined))),
    async close() {
      closed.abort()
      await restarting
      await stop()
    },
  }
}
