import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Victim } from '../faults/fault.js'
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

/** Lets clients of an HTTP server in as WebSockets: pages of foreign origins never, the others as the faults decide. */
export function openDoor(
  server: Server,
  host: string,
  faults: FaultLayer,
  welcome: (socket: OpenSocket) => Victim,
): { handshakes(): Handshakes } {
  const handshakes = { attempts: 0, failures: 0 }
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: NodeSocket,
    maxPayload: MAX_MESSAGE,
    handleProtocols: () => false, // a node never selects a subprotocol
  })
  const letIn = (request: IncomingMessage, tcp: Socket, head: Buffer, then?: (client: Victim) => void) => {
    upgrades.handleUpgrade(request, tcp, head, (messages) => {
      tcp.on(
        'data',
        createFrameLimit(MAX_FRAME, () => messages.terminate()),
      )
      const client = welcome({ messages, tcp })
      then?.(client)
    })
  }
  const admit = (request: IncomingMessage, tcp: Socket, head: Buffer) => {
    const arrival = faults.arrival()
    if (arrival.kind === 'accept') letIn(request, tcp, head)
    else if (arrival.kind !== 'wait') handshakes.failures += 1
    if (arrival.kind === 'close') letIn(request, tcp, head, (client) => client.cut())
    if (arrival.kind === 'reset') tcp.resetAndDestroy()
    if (arrival.kind === 'status') turnAway(tcp, arrival.status)
    if (arrival.kind === 'wait') void arrival.until.then(() => tcp.destroyed || letIn(request, tcp, head))
  }
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    handshakes.attempts += 1
    if (!(stream instanceof Socket)) throw new TypeError('A WebSocket server listens on TCP')
    stream.on('error', () => stream.destroy()) // the client is gone, and nobody else has to know
    if (isAllowedOrigin(request.headers.origin, host)) admit(request, stream, head)
    else turnAway(stream, 403)
  })
  return { handshakes: () => handshakes }
}

function turnAway(socket: Socket, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
