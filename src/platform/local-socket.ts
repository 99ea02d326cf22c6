import type { PlatformSocket } from './port.js'
import { createSocket } from './socket.js'

/** What the client calls. */
export interface LocalSocketMethods {
  /** Called while the socket is open. */
  readonly send: PlatformSocket['send']
  /** Called once, before the end. @default 1000, '' */
  readonly close: (code: number, reason: string) => void
}

/** A socket without a network, and its events: each takes place where the state of the socket allows it. */
export interface LocalSocket {
  readonly socket: PlatformSocket
  readonly open: () => void
  readonly deliver: (data: string | ArrayBuffer | Uint8Array<ArrayBuffer>) => void
  readonly end: (code: number, reason: string) => void
}

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3] as const
const NORMAL = 1000

export function createLocalSocket({ send, close }: LocalSocketMethods): LocalSocket {
  const state = { readyState: CONNECTING as 0 | 1 | 2 | 3, bufferedAmount: 0 }
  const socket = createSocket(state, {
    send: (data) => {
      if (state.readyState === OPEN) send(data)
    },
    close: (code = NORMAL, reason = '') => {
      if (state.readyState >= CLOSING) return
      state.readyState = CLOSING
      close(code, reason)
    },
  })
  return {
    socket,
    open() {
      if (state.readyState !== CONNECTING) return
      state.readyState = OPEN
      socket.onopen?.()
    },
    deliver(data) {
      if (state.readyState === OPEN) socket.onmessage?.({ data })
    },
    end(code, reason) {
      if (state.readyState === CLOSED) return
      state.readyState = CLOSED
      socket.onclose?.({ code, reason })
    },
  }
}
