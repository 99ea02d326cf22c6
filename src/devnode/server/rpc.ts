import type { RpcEncoding } from '../../model/network.js'
import type { NotificationScope } from '../../node/messages/records.js'
import type { FaultTarget } from '../faults/fault.js'
import type { FaultLayer } from '../faults/layer.js'
import type { LiveLedger } from '../live-ledger.js'
import type { Machine } from '../machine.js'
import type { Timers } from '../timers.js'
import type { ConnectionContext } from './connection.js'
import type { Traffic, TrafficByEncoding } from './handlers/handler.js'
import type { Identity } from './identity.js'
import type { SubscriptionRequest } from './subscriptions.js'
import type { WrpcEndpoint } from './wrpc-endpoint.js'

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
