import type { NodeNotification } from '../../node/messages/records.js'
import type { Frame } from '../../wrpc/codec.js'
import { createConnection, type Connection, type ConnectionContext } from './connection.js'
import type { ServerSocket } from './server-socket.js'

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
