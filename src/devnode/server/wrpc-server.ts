import { createServer } from 'node:http'
import type { NodeNotification } from '../../node/messages/records.js'
import type { Frame } from '../../wrpc/codec.js'
import { createConnection, type Connection, type ConnectionContext } from './connection.js'
import type { Traffic } from './handlers/handler.js'
import { acceptUpgrades } from './upgrade.js'
import { listen, stopListening, type ListenAddress } from './listen.js'
import { trackSockets } from './sockets.js'

/** A node's RPC server in one encoding. */
export interface WrpcServer {
  readonly port: number
  connections(): readonly Connection[]
  /** Sends the notifications of one ledger step to the connections that have subscribed to them. */
  notify(events: readonly NodeNotification[]): void
  traffic(): Traffic
  /** Number of open TCP connections, WebSockets or not. */
  sockets(): number
  /** Drops every connection, as a stopping node does, and stops listening. */
  close(): Promise<void>
}

/** Opens the server. Rejects with `ChainError` (`invalid-option`) if it cannot listen. */
export async function openWrpcServer(address: ListenAddress, context: ConnectionContext): Promise<WrpcServer> {
  const http = createServer((_, response) => response.writeHead(426).end('This port speaks WebSocket.\n'))
  const sockets = trackSockets(http)
  const connections = new Set<Connection>()
  let opened = 0n
  const upgrades = acceptUpgrades(http, address, context.faults, (socket) => {
    const connection = createConnection(opened++, socket, context)
    connections.add(connection)
    socket.messages.on('close', () => connections.delete(connection))
    return connection
  })
  const port = await listen(http, address)
  return {
    port,
    connections: () => [...connections],
    notify(events) {
      const encode = memoize((event: NodeNotification): Frame => context.codec.encodeNotification(event))
      for (const connection of connections) connection.notify(events, encode)
    },
    sockets: () => sockets.count(),
    traffic: () => ({ live: connections.size, ...upgrades.handshakes(), ...sockets.bytes() }),
    async close() {
      const stopped = stopListening(http)
      for (const connection of connections) connection.cut()
      sockets.destroyAll()
      await stopped
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
