import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { MemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import type { Frame } from '../../../../src/wrpc/codec.js'

/** An open connection of frames. */
export interface TestSocket {
  send(frame: Frame): void
  terminate(): void
}

export interface SocketHandlers {
  readonly onFrame: (frame: Frame) => void
  readonly onClose: () => void
}

/** Opens a connection. Rejects where it fails. */
export type OpenTestSocket<S extends TestSocket = TestSocket> = (url: string, handlers: SocketHandlers) => Promise<S>

/** Over TCP. */
export async function openWebSocket(url: string, { onFrame, onClose }: SocketHandlers): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 })
  socket.on('message', (data: Buffer, isBinary) => onFrame(isBinary ? Uint8Array.from(data) : data.toString('utf8')))
  socket.on('close', onClose)
  await once(socket, 'open')
  return socket
}

/** To a devnode in memory. */
export const openMemorySocket =
  ({ engineOptions }: MemoryDevnode): OpenTestSocket =>
  async (url, { onFrame, onClose }) => {
    const socket = await engineOptions.ports.platform.openSocket(url)
    await new Promise<void>((resolve, reject) => {
      if (socket.readyState === 1) resolve() // it may have opened during the await
      socket.onopen = resolve
      socket.onclose = () => reject(new Error(`No connection to ${url}`))
    })
    socket.onmessage = ({ data }) => onFrame(data instanceof ArrayBuffer ? new Uint8Array(data) : data)
    socket.onclose = onClose
    return {
      send: (frame) => socket.send(frame),
      terminate: () => socket.close(),
    }
  }
