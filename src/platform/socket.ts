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

/** A standard socket as the port wants it, heard from the first event on, so that no error goes unhandled. */
export function adoptSocket(socket: StandardSocket, close = socket.close.bind(socket)): PlatformSocket {
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
    send: (data) => socket.send(data),
    close,
  }
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => adopted.onopen?.()
  socket.onmessage = (event: { readonly data: string | ArrayBuffer }) => adopted.onmessage?.(event)
  socket.onerror = (event: unknown) => adopted.onerror?.(event)
  socket.onclose = (event: { readonly code: number; readonly reason: string }) => adopted.onclose?.(event)
  return adopted
}
