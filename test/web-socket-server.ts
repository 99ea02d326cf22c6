import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A WebSocket server on loopback. */
export interface LoopbackServer {
  readonly url: string
  readonly port: number
  /** Its ends of the open connections. */
  readonly clients: ReadonlySet<WebSocket>
  /** Ends all connections. */
  drop(): void
  close(): Promise<void>
}

/** Opens a server on a free port. Servers of several `loopback` addresses are those of different hosts. */
export async function startWebSocketServer(
  onConnection: (client: WebSocket) => void,
  loopback = '127.0.0.1',
): Promise<LoopbackServer> {
  const server = new WebSocketServer({ host: loopback, port: 0 })
  await once(server, 'listening')
  server.on('connection', onConnection)
  const { port } = server.address() as AddressInfo
  const drop = (): void => server.clients.forEach((client) => client.terminate())
  return {
    url: `ws://${loopback}:${port}`,
    port,
    clients: server.clients,
    drop,
    close: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
