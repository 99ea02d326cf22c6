import type { PlatformSocket } from './port.js'

/** The used part of a standard WebSocket, the browser's or Node's. */
export interface StandardSocket {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  onopen: ((event: never) => unknown) | null
  onmessage: ((event: never) => unknown) | null
  onerror: ((event: never) => unknown) | null
  onclose: ((event: never) => unknown) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

/** Methods that an environment may replace. */
export interface SocketMethods extends Pick<PlatformSocket, 'send' | 'close'> {
  /** Sets the handler of messages. */
  readonly onMessage: (handler: NonNullable<PlatformSocket['onmessage']>) => void
}

/** Wraps a standard socket. Handles events from the start, so that no error is unhandled. */
export function wrapSocket(
  socket: StandardSocket,
  { send, close, onMessage }: SocketMethods = standardMethods(socket),
): PlatformSocket {
  const wrapped: PlatformSocket = {
    get readyState() {
      return socket.readyState
    },
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send,
    close,
  }
  onMessage((message) => wrapped.onmessage?.(message))
  socket.onopen = () => wrapped.onopen?.()
  socket.onerror = (event: unknown) => wrapped.onerror?.(event)
  socket.onclose = (event: { readonly code: number; readonly reason: string }) => wrapped.onclose?.(event)
  return wrapped
}

const standardMethods = (socket: StandardSocket): SocketMethods => ({
  send: (data) => socket.send(data),
  close: (code, reason) => socket.close(code, reason),
  onMessage: (handler) => {
    socket.binaryType = 'arraybuffer'
    socket.onmessage = handler
  },
})
