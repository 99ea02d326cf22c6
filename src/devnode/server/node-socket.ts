import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { ServerSocket } from './server-socket.js'

/** A WebSocket that closes as a node does: no close frame is sent or returned, the TCP connection ends. */
export class NodeSocket extends WebSocket {
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
export function toServerSocket(messages: NodeSocket, tcp: Socket): ServerSocket {
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
