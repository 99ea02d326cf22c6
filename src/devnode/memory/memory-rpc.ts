import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import type { WireCodec } from '../../wrpc/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import { applyHandshake, type Handshake } from '../faults/apply-handshake.js'
import { COMPLETING, type FaultTarget } from '../faults/fault.js'
import {
  createRpc,
  toConnectionContext,
  type Rpc,
  type RpcContext,
  type RpcServer,
  type RpcServers,
} from '../server/rpc.js'
import type { ConnectionContext } from '../server/connection.js'
import { createWrpcEndpoint } from '../server/wrpc-endpoint.js'
import type { SocketPair } from './memory-socket.js'

/** The RPC side of a node in memory. */
export interface MemoryRpc extends Rpc {
  readonly borsh: MemoryServer
  readonly json: MemoryServer
}

/** The server of one encoding. */
export interface MemoryServer extends RpcServer {
  /** Takes a client's connection: opens it, refuses it or keeps it waiting, as the faults decide. */
  readonly accept: (pair: SocketPair) => void
  close(): void
}

/** Starts both servers. */
export function startMemoryRpc(context: RpcContext): MemoryRpc {
  const started: RpcServers<MemoryServer> = {}
  const shared = toConnectionContext(context, started)
  const open = (codec: WireCodec) => openMemoryServer({ codec, ...shared })
  const servers = {
    borsh: (started.borsh = open(createBorshCodec())),
    json: (started.json = open(createJsonCodec())),
  }
  const stop = (): Promise<void> => {
    servers.borsh.close()
    servers.json.close()
    return Promise.resolve()
  }
  return { ...servers, ...createRpc(servers, context.live, stop) }
}

function openMemoryServer(context: ConnectionContext): MemoryServer {
  const endpoint = createWrpcEndpoint(context)
  const pairs = new Set<SocketPair>()
  const ended = { bytesSent: 0, bytesReceived: 0 }
  const handshakes = { attempts: 0, failures: 0 }
  const complete = (pair: SocketPair): FaultTarget => {
    const connection = endpoint.serve(pair.server)
    pair.open()
    return connection
  }
  const forget = (pair: SocketPair): void => {
    if (!pairs.delete(pair)) return
    ended.bytesSent += pair.bytes.sent
    ended.bytesReceived += pair.bytes.received
  }
  return {
    connections: () => endpoint.connections(),
    notify: (events) => endpoint.notify(events),
    sockets: () => pairs.size,
    traffic: () => ({
      live: endpoint.connections().length,
      ...handshakes,
      bytesSent: [...pairs].reduce((sum, { bytes }) => sum + bytes.sent, ended.bytesSent),
      bytesReceived: [...pairs].reduce((sum, { bytes }) => sum + bytes.received, ended.bytesReceived),
    }),
    accept(pair) {
      pairs.add(pair)
      pair.server.onClose(() => forget(pair))
      const decision = context.faults.handshake()
      handshakes.attempts += 1
      if (!COMPLETING.includes(decision.kind)) handshakes.failures += 1
      applyHandshake(
        decision,
        toHandshake(pair, () => complete(pair)),
      )
    },
    close() {
      endpoint.cutAll()
      for (const pair of pairs) pair.server.terminate() // those without a completed handshake
    },
  }
}

/** A client that waits for its handshake. A WebSocket client cannot distinguish a reset from a refusal. */
const toHandshake = (pair: SocketPair, serve: () => FaultTarget): Handshake => ({
  isEnded: () => pair.isEnded(),
  complete: (onOpen) => {
    const client = serve()
    onOpen?.(client)
  },
  reset: () => pair.server.terminate(),
  refuse: () => pair.server.terminate(),
  hang: () => undefined,
})
