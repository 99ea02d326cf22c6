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
interface SocketMethods extends Pick<PlatformSocket, 'send' | 'close'> {
  /** Sets the handler of messages. */
  readonly onMessage: (handler: NonNullable<PlatformSocket['onmessage']>) => void
}

/** A socket without handlers, in the state of `source`. */
export const createSocket = (
  source: Pick<PlatformSocket, 'readyState' | 'bufferedAmount'>,
  { send, close }: Pick<PlatformSocket, 'send' | 'close'>,
): PlatformSocket => ({
  get readyState() {
    return source.readyState
  },
  get bufferedAmount() {
    return source.bufferedAmount
  },
  onopen: null,
  onmessage: null,
  onerror: null,
  onclose: null,
  send,
  close,
})

/**
 * Wraps a standard socket. Handles events from the start, so that no error is unhandled, until the socket is closed:
 * whatever refers to a closed socket, such as the stack of the error of a lost connection, keeps no handlers with it.
 */
export function wrapSocket(
  socket: StandardSocket,
  { onMessage, ...methods }: SocketMethods = standardMethods(socket),
): PlatformSocket {
  const wrapped = createSocket(socket, methods)
  onMessage((message) => wrapped.onmessage?.(message))
  socket.onopen = () => wrapped.onopen?.()
  socket.onerror = (event: unknown) => wrapped.onerror?.(event)
  socket.onclose = (event: { readonly code: number; readonly reason: string }) => {
    socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null // it emits nothing after this
    wrapped.onclose?.(event)
  }
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

/**
 * The longest message under Node, bytes: an address with more than a million UTXOs fits. As text it stays below V8's
 * longest string (2^29 - 24 characters), whose conversion would throw outside of any promise.
 */
export const NODE_MAX_FRAME_SIZE: number = 500 * 2 ** 20

/** The longest message in a browser, bytes: pages have less memory. */
export const BROWSER_MAX_FRAME_SIZE: number = 256 * 2 ** 20
