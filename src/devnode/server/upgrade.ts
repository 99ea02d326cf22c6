import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, WebSocket } from 'ws'
import { requestRefusal } from '../../model/request-check.js'
import {
  applyHandshake,
  type Handshake,
  COMPLETING,
  type HandshakeDecision,
  type FaultTarget,
} from '../faults/fault.js'
import type { FaultLayer } from '../faults/faults.js'
import { type ListenAddress, rulesOf } from './listen.js'
import type { ServerSocket } from './connection.js'

/** Counts of WebSocket handshakes: attempted and failed. */
interface Handshakes {
  readonly attempts: number
  readonly failures: number
}

/**
 * Upgrades requests of an HTTP server to WebSockets: never for a foreign origin or `Host`, else as the faults decide.
 */
export function acceptUpgrades(
  server: Server,
  address: ListenAddress,
  faults: FaultLayer,
  connect: (socket: ServerSocket) => FaultTarget,
): { handshakes(): Handshakes } {
  const handshakes = { attempts: 0, failures: 0 }
  const upgrade = createUpgrade(connect)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (!(stream instanceof Socket)) throw new TypeError('A WebSocket server listens on TCP')
    stream.on('error', () => stream.destroy()) // the client has disconnected
    const decision = requestRefusal(request, rulesOf(address)) === undefined ? faults.handshake() : FORBIDDEN
    handshakes.attempts += 1
    if (!COMPLETING.includes(decision.kind)) handshakes.failures += 1
    applyHandshake(
      decision,
      toHandshake(stream, (onOpen) => upgrade(request, stream, head, onOpen)),
    )
  })
  return { handshakes: () => handshakes }
}

const FORBIDDEN: HandshakeDecision = { kind: 'status', status: 403 }

/** The handshake of a request on its TCP connection. */
const toHandshake = (tcp: Socket, complete: Handshake['complete']): Handshake => ({
  isEnded: () => tcp.destroyed,
  complete,
  reset: () => void tcp.resetAndDestroy(),
  refuse: (status) => void tcp.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
  hang: () => void tcp.on('end', () => tcp.destroy()).resume(),
})

/** Upgrades TCP connections to WebSockets with a node's limits and without subprotocols. */
function createUpgrade(connect: (socket: ServerSocket) => FaultTarget) {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: NodeSocket,
    maxPayload: MAX_MESSAGE,
    handleProtocols: () => false,
  })
  return (request: IncomingMessage, tcp: Socket, head: Buffer, onOpen?: (client: FaultTarget) => void) => {
    webSockets.handleUpgrade(request, tcp, head, (messages) => {
      const limit = createFrameLimit(MAX_FRAME, () => messages.terminate())
      tcp.on('data', limit)
      const client = connect(toServerSocket(messages, tcp))
      onOpen?.(client)
    })
  }
}

/** A WebSocket that closes as a node does: no close frame is sent or returned, the TCP connection ends. */
class NodeSocket extends WebSocket {
  /** Also called by the library after an error. The client sees 1006. */
  override close(): void {
    this.terminate()
  }

  /** A close as by a proxy; a node never sends a close frame. */
  closeWithFrame(code: number): void {
    super.close(code)
  }
}

/** A WebSocket over TCP as the node sees it. */
function toServerSocket(messages: NodeSocket, tcp: Socket): ServerSocket {
  messages.on('error', () => undefined) // a protocol violation: the socket closes itself
  return {
    isOpen: () => messages.readyState === messages.OPEN,
    unsent: () => messages.bufferedAmount,
    send: (part, fin) => messages.send(part, { fin }),
    onMessage: (handler) => void messages.on('message', (data: Buffer) => handler(data)),
    onClose: (handler) => void messages.on('close', handler),
    terminate: () => messages.terminate(),
    reset: () => void tcp.resetAndDestroy(),
    close: (code) => messages.closeWithFrame(code),
    pause: () => messages.pause(),
    resume: () => messages.resume(),
  }
}

/** The node's limits: 16 MiB a frame, 128 MiB a message of several frames. */
const MAX_FRAME = 16 * 2 ** 20
const MAX_MESSAGE = 128 * 2 ** 20

/**
 * Reads the headers of a client's frames: the WebSocket library limits messages, not frames.
 * `tooLong` is called when a header announces more than `limit` bytes of payload.
 */
export function createFrameLimit(limit: number, tooLong: () => void): (chunk: Uint8Array) => void {
  let header: readonly number[] = []
  let skip = 0 // remaining bytes of mask and payload
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at)
        skip -= step
        at += step
        continue
      }
      header = [...header, chunk[at] ?? 0]
      at += 1
      const length = payloadLength(header)
      if (length === undefined) continue
      if (length > limit) tooLong()
      skip = length > limit ? Infinity : length + (isMasked(header) ? 4 : 0) // reads nothing after `tooLong`
      header = []
    }
  }
}

const isMasked = (header: readonly number[]): boolean => ((header[1] ?? 0) & 0x80) !== 0

/** RFC 6455, section 5.2: 7 bits, or 16 or 64 after them; undefined while bytes are missing. */
function payloadLength(header: readonly number[]): number | undefined {
  if (header.length < 2) return undefined
  const short = (header[1] ?? 0) & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  if (header.length < 2 + extended) return undefined
  return extended === 0 ? short : header.slice(2).reduce((length, byte) => length * 256 + byte, 0)
}
