import {
  createRestartableRpc,
  createRpc,
  toConnectionContext,
  type Rpc,
  type RpcContext,
  type RpcServer,
  type RpcServers,
  createWrpcEndpoint,
} from '../server/rpc.js'
import type { DevnodeUrls, ServerParts, Servers } from '../devnode.js'
import type { PlatformSocket } from '../../platform/port.js'
import type { HttpHandler } from '../http.js'
import { createSocketPair, type SocketPair, type Post } from './memory-socket.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import type { WireCodec } from '../../wrpc/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import { applyHandshake, type Handshake, COMPLETING, type FaultTarget } from '../faults/fault.js'
import type { ConnectionContext } from '../server/connection.js'

/** Serves a node in a network in memory. While its RPC restarts, connections to it fail. */
export function openMemoryServers(network: MemoryNetwork, parts: ServerParts): Servers {
  const urls = toUrls(network.nextHost())
  const start = () => {
    const rpc = startMemoryRpc(parts.rpc)
    network.listen(urls.borsh, rpc.borsh.accept)
    network.listen(urls.json, rpc.json.accept)
    const close = () => {
      network.close(urls.borsh)
      network.close(urls.json)
      return rpc.close()
    }
    return { ...rpc, close }
  }
  network.serve(urls.rest, parts.rest)
  network.serve(urls.control, parts.control)
  const rpc = createRestartableRpc(start(), start, parts.rpc.timers)
  const close = async () => {
    network.close(urls.rest)
    network.close(urls.control)
    await rpc.close()
  }
  return { urls, rpc, close }
}

const toUrls = (host: string): DevnodeUrls => ({
  borsh: `ws://borsh.${host}`,
  json: `ws://json.${host}`,
  rest: `http://rest.${host}`,
  control: `http://control.${host}`,
})

/** Accepts a client's connection. */
type Accept = (pair: SocketPair) => void

/** The URLs of a network in memory: those of a node and its forks. */
export interface MemoryNetwork {
  /** A host name that no other node of this page has. */
  nextHost(): string
  listen(url: string, accept: Accept): void
  /** Serves HTTP for all URLs that begin with `origin`. */
  serve(origin: string, handler: HttpHandler): void
  close(url: string): void
  openSocket(url: string): PlatformSocket
  /** The handler of a URL. */
  handlerOf(url: URL): HttpHandler | undefined
}

let hosts = 0

export function createMemoryNetwork(post: Post): MemoryNetwork {
  const servers = new Map<string, Accept>()
  const handlers = new Map<string, HttpHandler>()
  return {
    nextHost: () => `devnode-${++hosts}.invalid`, // RFC 2606: never a host on the internet
    listen: (url, accept) => void servers.set(url, accept),
    serve: (origin, handler) => void handlers.set(origin, handler),
    close(url) {
      servers.delete(url)
      handlers.delete(url)
    },
    openSocket(url) {
      const pair = createSocketPair(post)
      const accept = servers.get(url.replace(/\/$/, ''))
      if (accept === undefined) pair.server.terminate()
      else accept(pair)
      return pair.client
    },
    handlerOf: ({ origin }) => handlers.get(origin),
  }
}

/** The RPC side of a node in memory. */
interface MemoryRpc extends Rpc {
  readonly borsh: MemoryServer
  readonly json: MemoryServer
}

/** The server of one encoding. */
interface MemoryServer extends RpcServer {
  /** Takes a client's connection: opens it, refuses it or keeps it waiting, as the faults decide. */
  readonly accept: (pair: SocketPair) => void
  close(): void
}

/** Starts both servers. */
function startMemoryRpc(context: RpcContext): MemoryRpc {
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
