import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { listen } from '../listen.js'

/** A server that completes the WebSocket handshake; the test sends every further byte. */
export interface RawServer {
  readonly url: string
  /** The extensions offered by each client. */
  readonly offers: readonly (string | undefined)[]
  close(): Promise<void>
}

const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11' // RFC 6455, 1.3

/** `onOpen` receives the raw connection after the opening handshake. */
export async function startRawServer(onOpen: (connection: Duplex) => void): Promise<RawServer> {
  const offers: (string | undefined)[] = []
  const server = createServer((_, response) => response.writeHead(404).end())
  server.on('upgrade', (request, connection: Duplex) => {
    offers.push(request.headers['sec-websocket-extensions'])
    connection.on('error', () => undefined) // the client may drop the connection
    const key = `${request.headers['sec-websocket-key'] ?? ''}${WEBSOCKET_GUID}`
    const accept = createHash('sha1').update(key).digest('base64')
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    onOpen(connection)
  })
  const { port, close } = await listen(server)
  return { url: `ws://127.0.0.1:${port}`, offers, close }
}

/** The first `sent` bytes of a text frame that announces 100. */
export const halfAFrame = (sent: number): Buffer => Buffer.concat([Buffer.of(0x81, 100), Buffer.alloc(sent, 'x')])
