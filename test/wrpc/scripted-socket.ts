import type { PlatformSocket } from '../../src/platform/port.js'

/** A fake platform socket, controlled by the test. */
export interface ScriptedSocket extends PlatformSocket {
  readyState: number
  readonly sent: (string | Uint8Array)[]
  readonly closed: boolean
  open(): void
  fail(): void
}

export function scriptedSocket(): ScriptedSocket {
  const socket: ScriptedSocket = {
    readyState: 0,
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    sent: [],
    get closed() {
      return socket.readyState >= 2
    },
    send: (data) => socket.sent.push(data),
    close: () => (socket.readyState = 3),
    open: () => {
      socket.readyState = 1
      socket.onopen?.()
    },
    fail: () => {
      socket.readyState = 3
      socket.onerror?.(new Error('ECONNRESET'))
      socket.onclose?.({ code: 1006, reason: '' })
    },
  }
  return socket
}
