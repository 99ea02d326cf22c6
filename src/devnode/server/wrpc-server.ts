import { createServer } from 'node:http'
import type { ConnectionContext } from './connection.js'
import type { Traffic } from './handlers/handler.js'
import { listen, stopListening, type ListenAddress } from './listen.js'
import { trackSockets } from './sockets.js'
import { acceptUpgrades } from './upgrade.js'
import { createWrpcEndpoint, type WrpcEndpoint } from './wrpc-endpoint.js'

/** A node's RPC server in one encoding. */
export interface WrpcServer extends Pick<WrpcEndpoint, 'connections' | 'notify'> {
  readonly port: number
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
  const endpoint = createWrpcEndpoint(context)
  const upgrades = acceptUpgrades(http, address, context.faults, (socket) => endpoint.serve(socket))
  const port = await listen(http, address)
  return {
    port,
    connections: () => endpoint.connections(),
    notify: (events) => endpoint.notify(events),
    sockets: () => sockets.count(),
    traffic: () => ({ live: endpoint.connections().length, ...upgrades.handshakes(), ...sockets.bytes() }),
    async close() {
      const stopped = stopListening(http)
      endpoint.cutAll()
      sockets.destroyAll()
      await stopped
    },
  }
}
