import type { RpcEncoding } from '../../model/network.js'
import type { NotificationScope } from '../../node/messages/records.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { Victim } from '../faults/fault.js'
import type { FaultLayer } from '../faults/layer.js'
import type { LiveLedger } from '../live-ledger.js'
import type { Traffic } from './handlers/handler.js'
import type { Identity } from './identity.js'
import type { ListenAddress } from './listen.js'
import type { SubscriptionRequest } from './subscriptions.js'
import { openWrpcServer, type WrpcServer } from './wrpc-server.js'

/** A client of the node, as it stands. */
export interface DevnodeConnection {
  /** Its number, counted by its server since that was started. */
  readonly id: bigint
  readonly encoding: RpcEncoding
  /** What it is subscribed to. */
  readonly subscriptions: readonly NotificationScope[]
  /** The requests that led there, in order: the newest thousand. Who asks twice for what he has stands here twice. */
  readonly requests: readonly SubscriptionRequest[]
}

/** What the servers of a node have in common, and keep when the node is started again. */
export interface RpcContext {
  readonly live: LiveLedger
  readonly identity: Identity
  readonly faults: FaultLayer
}

/** The RPC side of a running node: one server for each encoding. */
export interface RpcProcess {
  readonly ports: { readonly borsh: number; readonly json: number }
  connections(): readonly DevnodeConnection[]
  victims(): readonly Victim[]
  /** TCP connections, those among them that are no client yet. */
  sockets(): number
  close(): Promise<void>
}

/** Starts both servers. Rejects with `ChainError` (`invalid-option`) where one cannot listen; then neither does. */
export async function startRpc(borsh: ListenAddress, json: ListenAddress, context: RpcContext): Promise<RpcProcess> {
  const started: { borsh?: WrpcServer; json?: WrpcServer } = {}
  const census = () => ({ borsh: started.borsh?.traffic() ?? NO_TRAFFIC, json: started.json?.traffic() ?? NO_TRAFFIC })
  const { live, identity, faults } = context
  const shared = { prefix: live.ledger.network.addressPrefix, faults, node: { live, identity, census } }
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
  const deafen = live.listen((events) => {
    for (const server of running()) server.tell(events)
  })
  return {
    ports: { borsh: borshServer.port, json: jsonServer.port },
    connections: () => [...toConnections('Borsh', borshServer), ...toConnections('SerdeJson', jsonServer)],
    victims: () => running().flatMap((server) => server.connections()),
    sockets: () => running().reduce((sum, server) => sum + server.sockets(), 0),
    async close() {
      deafen()
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
