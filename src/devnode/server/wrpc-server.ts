import { createServer } from 'node:http'
import type { NodeNotification } from '../../node/messages/records.js'
import type { Frame } from '../../wrpc/codec.js'
import { createConnection, type Connection, type ConnectionContext } from './connection.js'
import type { Traffic } from './handlers/handler.js'
import { openDoor } from './door.js'
import { listen, stopListening, type ListenAddress } from './listen.js'
import { trackSockets } from './sockets.js'

/** A node's RPC server in one encoding. */
export interface WrpcServer {
  readonly port: number
  connections(): readonly Connection[]
  /** Passes on what a step of the network brings, to each connection what it asked for. */
  tell(events: readonly NodeNotification[]): void
  traffic(): Traffic
  /** How many TCP connections stand, WebSockets or not. */
  sockets(): number
  /** Drops every connection, as a node does that ends, and stops listening. */
  close(): Promise<void>
}

/** Opens the server. Rejects with `ChainError` (`invalid-option`) where it cannot listen. */
export async function openWrpcServer(address: ListenAddress, context: ConnectionContext): Promise<WrpcServer> {
  const http = createServer((_, response) => response.writeHead(426).end('This port speaks WebSocket.\n'))
  const sockets = trackSockets(http)
  const connections = new Set<Connection>()
  let opened = 0n
  const door = openDoor(http, address.host, context.faults, (socket) => {
    const connection = createConnection(opened++, socket, context)
    connections.add(connection)
    socket.messages.on('close', () => connections.delete(connection))
    return connection
  })
  const port = await listen(http, address)
  return {
    port,
    connections: () => [...connections],
    tell(events) {
      const encode = once((event: NodeNotification): Frame => context.codec.encodeNotification(event))
      for (const connection of connections) connection.tell(events, encode)
    },
    sockets: () => sockets.count(),
    traffic: () => ({ live: connections.size, ...door.handshakes(), ...sockets.bytes() }),
    async close() {
      const stopped = stopListening(http)
      for (const connection of connections) connection.cut()
      sockets.destroyAll()
      await stopped
    },
  }
}

/** A function that does its work once for each argument. */
function once<A, R>(work: (argument: A) => R): (argument: A) => R {
  const done = new Map<A, R>()
  return (argument) => {
    const known = done.get(argument)
    if (known !== undefined) return known
    const result = work(argument)
    done.set(argument, result)
    return result
  }
}
