import type { RpcEncoding } from '../../model/network.js'
import type { NotificationScope } from '../../node/messages/records.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { FaultTarget } from '../faults/fault.js'
import type { FaultLayer } from '../faults/layer.js'
import type { LiveLedger } from '../live-ledger.js'
import type { Traffic } from './handlers/handler.js'
import type { Identity } from './identity.js'
import type { ListenAddress } from './listen.js'
import type { SubscriptionRequest } from './subscriptions.js'
import { openWrpcServer, type WrpcServer } from './wrpc-server.js'

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
}

/** The RPC side of a running node: one server for each encoding. */
export interface RpcProcess {
  readonly ports: { readonly borsh: number; readonly json: number }
  connections(): readonly DevnodeConnection[]
  targets(): readonly FaultTarget[]
  /** Number of open TCP connections, including those without a completed handshake. */
  sockets(): number
  close(): Promise<void>
}

/** Starts both servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then neither is left open. */
export async function startRpc(borsh: ListenAddress, json: ListenAddress, context: RpcContext): Promise<RpcProcess> {
  const started: { borsh?: WrpcServer; json?: WrpcServer } = {}
  const traffic = () => ({ borsh: started.borsh?.traffic() ?? NO_TRAFFIC, json: started.json?.traffic() ?? NO_TRAFFIC })
  const { live, identity, faults } = context
  const shared = { prefix: live.ledger.network.addressPrefix, faults, node: { live, identity, traffic } }
  const running = () => [started.borsh, started.json].filter((server) => server !== undefined)
  const close = async () => {
    await Promise.all(running().map((server) => server.close()))
  }
  try {
    started.borsh = await openWrpcServer(borsh, { codec: createBorshCodec(), ...shared })
    started.json = await openWrpcServer(json, { codec: createJsonCodec(), ...shared })
  } catch (error) {
    await close()
    throw error
  }
  const [borshServer, jsonServer] = [started.borsh, started.json]
  const unsubscribe = live.subscribe((events) => {
    for (const server of running()) server.notify(events)
  })
  return {
    ports: { borsh: borshServer.port, json: jsonServer.port },
    connections: () => [...toConnections('Borsh', borshServer), ...toConnections('SerdeJson', jsonServer)],
    targets: () => running().flatMap((server) => server.connections()),
    sockets: () => running().reduce((sum, server) => sum + server.sockets(), 0),
    async close() {
      unsubscribe()
      await close()
    },
  }
}

const NO_TRAFFIC: Traffic = { live: 0, attempts: 0, failures: 0, bytesSent: 0, bytesReceived: 0 }

const toConnections = (encoding: RpcEncoding, server: WrpcServer): readonly DevnodeConnection[] =>
  server.connections().map((connection) => ({
    id: connection.id,
    encoding,
    subscriptions: connection.scopes(),
    requests: connection.requests(),
  }))
