import WebSocket from 'isomorphic-ws'
import type { PlatformSocket, SocketOptions } from './port.js'
import { NODE_MAX_FRAME_SIZE, wrapSocket } from './socket.js'

/** Ms until a closing socket is terminated. A frozen node never completes the closing handshake. */
const CLOSE_TIMEOUT = 500

/** Opens a socket under Node. Offers no compression, because nodes negotiate none. */
export function openNodeSocket(
  url: string,
  { maxFrameSize = NODE_MAX_FRAME_SIZE }: SocketOptions = {},
): PlatformSocket {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: maxFrameSize })
  return wrapSocket(socket, {
    send: (data) =>
      socket.send(data.length > MAX_POOLED || typeof data === 'string' ? data : globalThis.Buffer.from(data)),
    close: (code, reason) => {
      socket.close(code, reason)
      const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT)
      timer.unref() // an open socket keeps the process alive by itself
    },
    onMessage: (handler) => {
      socket.on('message', (data: Buffer, isBinary) =>
        handler({ data: isBinary || data.length > NODE_MAX_FRAME_SIZE ? bytesOf(data) : data.toString() }),
      )
    },
  })
}

/** Up to this many bytes a copy uses Node's buffer pool, which is faster than letting ws wrap the array. */
const MAX_POOLED = 4096

/** A view of the bytes, because an own `ArrayBuffer` would copy each message. */
const bytesOf = ({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, length) // sockets share no memory
