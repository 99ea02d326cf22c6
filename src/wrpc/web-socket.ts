import { TOO_LONG } from '../errors/rpc-error.js'
import type { ClosedReason } from '../node/port.js'
import type { PlatformSocket } from '../platform/port.js'
import type { Frame } from './codec.js'
import { detachAndClose } from './open-socket.js'

/** What carries frames: an open WebSocket, or the port of a shared worker. */
export interface FrameSocket<Frame> {
  send(frame: Frame): void
  /** For a call whose response is not awaited any more. */
  cancel?(id: bigint): void
  /** Called once, before anything is sent. */
  attach(handlers: FrameHandlers<Frame>): void
  /** Removes the handlers and closes. */
  close(): void
}

export interface FrameHandlers<Frame> {
  readonly onFrame: (frame: Frame) => void
  readonly onClose: (reason: ClosedReason) => void
}

/** For platforms that state none. */
export const DEFAULT_MAX_FRAME_SIZE: number = 256 * 2 ** 20

/** An open WebSocket that carries frames of at most `maxFrameSize` bytes: a longer one ends it. */
export const webSocket = (
  socket: PlatformSocket,
  maxFrameSize: number = DEFAULT_MAX_FRAME_SIZE,
): FrameSocket<Frame> => ({
  send: (frame) => socket.send(frame),
  attach: (handlers) => attach(socket, maxFrameSize, handlers),
  close: () => detachAndClose(socket),
})

function attach(socket: PlatformSocket, maxFrameSize: number, { onFrame, onClose }: FrameHandlers<Frame>): void {
  let cause: unknown
  socket.onmessage = ({ data }) => {
    const frame = toFrame(data)
    if (frame.length > maxFrameSize) onClose(tooLong(maxFrameSize))
    else onFrame(frame)
  }
  socket.onerror = (event) => {
    cause = event
    // at once: the socket waits 30 s for a closing handshake
    if (isTooLong(event)) onClose(tooLong(maxFrameSize, event))
  }
  socket.onclose = ({ code, reason }) => onClose({ code, reason: reason || toReason(code), cause })
}

const toFrame = (data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): Frame =>
  typeof data === 'string' || ArrayBuffer.isView(data) ? data : new Uint8Array(data)

const tooLong = (maxFrameSize: number, cause?: unknown): ClosedReason => ({
  code: TOO_LONG,
  reason: `it sent a message longer than maxFrameSize, ${maxFrameSize} bytes`,
  cause,
})

/** Whether a header announced too long a message, under Node: an error code of ws. */
function isTooLong(errorEvent: unknown): boolean {
  const error = typeof errorEvent === 'object' && errorEvent !== null && 'error' in errorEvent ? errorEvent.error : null
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
  )
}

/** A real node sends no close frame: its sockets end with 1006. */
const toReason = (code: number): string =>
  code === 1006 ? 'it ended without a close frame' : `it was closed (${code})`
