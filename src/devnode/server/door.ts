import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Arrival, Victim } from '../faults/fault.js'
import type { FaultLayer } from '../faults/layer.js'
import type { OpenSocket } from './connection.js'
import { createFrameLimit, MAX_FRAME, MAX_MESSAGE } from './frame-limit.js'
import { NodeSocket } from './node-socket.js'
import { isAllowedOrigin } from './origin.js'

/** How many WebSocket handshakes were asked for, and how many came to nothing. */
export interface Handshakes {
  readonly attempts: number
  readonly failures: number
}

/** Finishes a handshake. */
type LetIn = (welcomed?: (client: Victim) => void) => void

/** Lets clients of an HTTP server in as WebSockets: pages of foreign origins never, the others as the faults decide. */
export function openDoor(
  server: Server,
  host: string,
  faults: FaultLayer,
  welcome: (socket: OpenSocket) => Victim,
): { handshakes(): Handshakes } {
  const handshakes = { attempts: 0, failures: 0 }
  const upgrade = createUpgrade(welcome)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (!(stream instanceof Socket)) throw new TypeError('A WebSocket server listens on TCP')
    stream.on('error', () => stream.destroy()) // the client is gone, and nobody else has to know
    const arrival = isAllowedOrigin(request.headers.origin, host) ? faults.arrival() : FORBIDDEN
    handshakes.attempts += 1
    if (!WELCOME.includes(arrival.kind)) handshakes.failures += 1
    receive(arrival, stream, (welcomed) => upgrade(request, stream, head, welcomed))
  })
  return { handshakes: () => handshakes }
}

/** What a handshake comes to something by, sooner or later. */
const WELCOME: readonly Arrival['kind'][] = ['accept', 'wait', 'mute']

const FORBIDDEN: Arrival = { kind: 'status', status: 403 }

function receive(arrival: Arrival, tcp: Socket, letIn: LetIn): void {
  switch (arrival.kind) {
    case 'accept':
      letIn()
      break
    case 'wait':
      void arrival.until.then(() => tcp.destroyed || letIn())
      break
    case 'mute':
      letIn((client) => {
        client.freeze()
        void arrival.until.then(() => client.thaw())
      })
      break
    case 'close':
      letIn((client) => client.cut())
      break
    case 'reset':
      tcp.resetAndDestroy()
      break
    case 'status':
      tcp.end(`HTTP/1.1 ${arrival.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      break
    case 'silence': // the TCP connection stands for as long as the client wants, and that is all
      tcp.on('end', () => tcp.destroy()).resume()
  }
}

/** Makes WebSockets of TCP connections, with a node's limits and without what a node does not negotiate. */
function createUpgrade(welcome: (socket: OpenSocket) => Victim) {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: NodeSocket,
    maxPayload: MAX_MESSAGE,
    handleProtocols: () => false, // a node never selects a subprotocol
  })
  return (request: IncomingMessage, tcp: Socket, head: Buffer, welcomed?: (client: Victim) => void) => {
    upgrades.handleUpgrade(request, tcp, head, (messages) => {
      const limit = createFrameLimit(MAX_FRAME, () => messages.terminate())
      tcp.on('data', limit)
      const client = welcome({ messages, tcp })
      welcomed?.(client)
    })
  }
}
