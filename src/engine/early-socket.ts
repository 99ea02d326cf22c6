import type { Unsubscribable } from 'rxjs'
import type { PlatformSocket } from '../platform/port.js'

/** A socket that opens while the code that uses it is loading, which saves the round trips of its handshake. */
export interface EarlySocket extends Unsubscribable {
  /**
   * Hands the socket over, and repeats a failure that it had before there were handlers. Rejects where none could be
   * opened.
   */
  readonly openSocket: () => Promise<PlatformSocket>
  /** Closes the socket, unless it was handed over. */
  unsubscribe(): void
}

/** Opens a socket at once. */
export function openEarly(open: () => PlatformSocket | Promise<PlatformSocket>): EarlySocket {
  let isHandedOver = false
  const held: (() => void)[] = []
  const opening = (async () => {
    const socket = await open()
    socket.onerror = (event) => held.push(() => socket.onerror?.(event))
    socket.onclose = (event) => held.push(() => socket.onclose?.(event))
    return socket
  })()
  const orNone = opening.catch(() => undefined) // `openSocket` rejects with the reason
  return {
    openSocket: () => {
      isHandedOver = true
      // the caller has set its handlers by then
      void orNone.then(() => setTimeout(() => held.forEach((repeat) => repeat())))
      return opening
    },
    unsubscribe: () => {
      if (!isHandedOver) void orNone.then((socket) => socket?.close())
    },
  }
}
