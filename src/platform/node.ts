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
  return adoptSocket(socket, {
    send: (data) => socket.send(data.length > POOLED || typeof data === 'string' ? data : Buffer.from(data)),
    close: (code, reason) => {
      socket.close(code, reason)
      const timer = setTimeout(() => socket.terminate(), GOODBYE)
      timer.unref() // the socket itself keeps the process alive as long as there is something to end
    },
    hear: (tell) => {
      socket.on('message', (data: Buffer, isBinary) => tell({ data: isBinary ? bytesOf(data) : data.toString() }))
    },
  })
}

/** Up to how many bytes a copy comes out of Node's pool of buffers: cheaper than to have ws look at ours as its own. */
const POOLED = 4096

/** The bytes where they lie: an `ArrayBuffer` of their own would be a copy of each message. */
const bytesOf = ({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, length) // sockets share no memory
