import { ReplaySubject, Subject, type SchedulerLike } from 'rxjs'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification } from '../node/messages/records.js'
import type { ClosedReason, Endpoint, NodeConnection } from '../node/port.js'
import type { PlatformSocket } from '../platform/port.js'
import { connectionLost } from './call-errors.js'
import type { DecodedMessage, Frame, WireCodec } from './codec.js'
import { detachAndClose } from './open-socket.js'
import { createPendingCalls } from './pending-calls.js'

export interface NodeConnectionDeps {
  readonly endpoint: Endpoint
  readonly codec: WireCodec
  readonly scheduler: SchedulerLike
  /** The default timeout of a call, ms. */
  readonly requestTimeout: number
  /** The longest message, bytes. @default 256 MiB */
  readonly maxFrameSize?: number | undefined
}

/** For platforms that state none. */
export const DEFAULT_MAX_FRAME_SIZE: number = 256 * 2 ** 20

/** A node connection over an open socket, which it owns and closes. */
export function createNodeConnection(socket: PlatformSocket, deps: NodeConnectionDeps): NodeConnection {
  const { endpoint, codec, scheduler, requestTimeout, maxFrameSize = DEFAULT_MAX_FRAME_SIZE } = deps
  const { url } = endpoint
  const notifications$ = new Subject<NodeNotification>()
  const malformed$ = new Subject<ChainRpcError>()
  const closed$ = new ReplaySubject<ClosedReason>(1)
  let closedReason: ClosedReason | undefined
  const calls = createPendingCalls({
    codec,
    scheduler,
    url,
    send: (frame) => socket.send(frame),
    closedError: (method) => closedReason && connectionLost(method, url, closedReason),
  })

  const onFrame = (frame: Frame): void => {
    if (frame.length > maxFrameSize) {
      close(tooLong(maxFrameSize))
      return
    }
    const message = decode(frame)
    if (message === undefined) return
    if (message.kind === 'notification') notifications$.next(message.notification)
    else if (message.id !== undefined) calls.settle(message.id, message)
    else if (message.kind === 'malformed') malformed$.next(message.error)
  }

  const close = (reason: ClosedReason): void => {
    if (closedReason !== undefined) return
    closedReason = reason
    detachAndClose(socket)
    notifications$.complete()
    malformed$.complete()
    calls.failAll((method) => connectionLost(method, url, reason))
    closed$.next(reason)
    closed$.complete()
  }

  /** Undefined if the codec fails, which is an error of this library: the connection ends, the process does not. */
  const decode = (frame: Frame): DecodedMessage | undefined => {
    try {
      return codec.decodeMessage(frame, calls.methodOf, calls.formatOf)
    } catch (cause) {
      close({ reason: 'a message could not be decoded', cause })
      return undefined
    }
  }

  attach(socket, { onFrame, onTooLong: (cause) => close(tooLong(maxFrameSize, cause)), onClose: close })
  return {
    endpoint,
    call: (method, request, { timeout = requestTimeout } = {}) => calls.call(method, request, timeout),
    utxoColumns: (addresses, { timeout = requestTimeout } = {}) => calls.utxoColumns(addresses, timeout),
    ...(codec.encoding === 'Borsh' && {
      chainIds: (request, { timeout = requestTimeout } = {}) => calls.chainIds(request, timeout),
      chainBlocks: (request, { timeout = requestTimeout } = {}) => calls.chainBlocks(request, timeout),
    }),
    notifications$: notifications$.asObservable(),
    malformed$: malformed$.asObservable(),
    closed$: closed$.asObservable(),
    close: () => close(CLOSED),
  }
}

interface SocketHandlers {
  readonly onFrame: (frame: Frame) => void
  readonly onTooLong: (cause: unknown) => void
  readonly onClose: (reason: ClosedReason) => void
}

function attach(socket: PlatformSocket, { onFrame, onTooLong, onClose }: SocketHandlers): void {
  let cause: unknown
  socket.onmessage = ({ data }) => onFrame(toFrame(data))
  socket.onerror = (event) => {
    cause = event
    if (isTooLong(event)) onTooLong(event) // at once: the socket waits 30 s for a closing handshake
  }
  socket.onclose = ({ code, reason }) => onClose({ code, reason: reason || toReason(code), cause })
}

const toFrame = (data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): Frame =>
  typeof data === 'string' || ArrayBuffer.isView(data) ? data : new Uint8Array(data)

const CLOSED: ClosedReason = { reason: 'it was closed by the client' }

const tooLong = (maxFrameSize: number, cause?: unknown): ClosedReason => ({
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
