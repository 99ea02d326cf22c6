import { once } from 'node:events'
import { WebSocket } from 'ws'
import { startWebSocketServer, type LoopbackServer } from '../web-socket-server.js'

/** What a proxy does with the frames of one connection. */
export interface ProxiedConnection {
  /** A frame of the client; `forward` sends one to the node. */
  fromClient(data: Buffer, forward: (data: Buffer) => void): void
  /** A frame of the node. Returns what the client gets in its place; undefined for nothing. */
  fromNode(data: Buffer): Buffer | Uint8Array | string | undefined
}

/** Opens a proxy to a node. The connection to the node ends with that of the client, and the other way round. */
export const startWireProxy = (
  nodeUrl: string,
  serve: (client: WebSocket) => ProxiedConnection,
  loopback?: string,
): Promise<LoopbackServer> =>
  startWebSocketServer((client) => {
    const node = new WebSocket(nodeUrl)
    const { fromClient, fromNode } = serve(client)
    const opened = once(node, 'open')
    const forward = (data: Buffer): void =>
      void opened.then(
        () => node.send(data),
        () => client.terminate(),
      )
    client.on('message', (data: Buffer) => fromClient(data, forward))
    node.on('message', (data: Buffer) => {
      const frame = fromNode(data)
      if (frame !== undefined) client.send(frame)
    })
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      one.on('close', () => other.terminate())
      one.on('error', () => other.terminate())
    }
  }, loopback)
