import WebSocket from 'isomorphic-ws'
import type { PlatformSocket } from './port.js'
import { adoptSocket } from './socket.js'

/** The largest message we take, in bytes: the answer for an address of a million coins. ws would stop at 100 MiB. */
const MAX_PAYLOAD = 1024 ** 3

/** How long, in ms, a node may take to end the connection after we said goodbye. A frozen one never does. */
const GOODBYE = 500

/** Opens a socket under Node. Nodes negotiate no compression, so none is offered. */
export function openNodeSocket(url: string): PlatformSocket {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_PAYLOAD })
  return adoptSocket(socket, (code, reason) => {
    socket.close(code, reason)
    const timer = setTimeout(() => socket.terminate(), GOODBYE)
    timer.unref() // the socket itself keeps the process alive as long as there is something to end
  })
}
