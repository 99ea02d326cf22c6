import type { PlatformSocket } from './port.js'

/** The part of a standard WebSocket, the browser's or Node's, that is wrapped. */
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

/** The ways in which a socket may go beyond the standard. */
export interface SocketWays extends Pick<PlatformSocket, 'send' | 'close'> {
  /** Listens to messages. */
  readonly hear: (tell: NonNullable<PlatformSocket['onmessage']>) => void
}

/** A standard socket as the port wants it, heard from the first event on, so that no error goes unhandled. */
export function adoptSocket(
  socket: StandardSocket,
  { send, close, hear }: SocketWays = standardWays(socket),
): PlatformSocket {
  const adopted: PlatformSocket = {
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
  hear((message) => adopted.onmessage?.(message))
  socket.onopen = () => adopted.onopen?.()
  socket.onerror = (event: unknown) => adopted.onerror?.(event)
  socket.onclose = (event: { readonly code: number; readonly reason: string }) => adopted.onclose?.(event)
  return adopted
}

const standardWays = (socket: StandardSocket): SocketWays => ({
  send: (data) => socket.send(data),
  close: (code, reason) => socket.close(code, reason),
  hear: (tell) => {
    socket.binaryType = 'arraybuffer'
    socket.onmessage = tell
  },
})
