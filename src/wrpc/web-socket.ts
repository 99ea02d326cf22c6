import { TOO_LONG, connectError, type ChainRpcError } from '../errors/rpc-error.js'
import type { ClosedReason } from '../node/port.js'
import type { PlatformSocket, Platform } from '../platform/port.js'
import type { Frame } from './codec.js'
import { Observable, Subscription } from 'rxjs'
import { causeDetails } from '../errors/shown.js'
import { ChainError } from '../errors/chain-error.js'
import { isCodeNotLoaded } from '../errors/not-ready-error.js'

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
const DEFAULT_MAX_FRAME_SIZE: number = 256 * 2 ** 20

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

/**
 * Opens a socket: emits it once it is open, and completes; from then on it belongs to the subscriber. Cold. Errors with
 * `ChainRpcError('connect', cause)`: `invalid-argument` if `url` is no WebSocket URL, else `connect-failed`.
 * Unsubscribing earlier closes the socket, also if the platform delivers it later.
 */
export function openSocket$(
  platform: Pick<Platform, 'openSocket'>,
  url: string,
  maxFrameSize?: number,
): Observable<PlatformSocket> {
  return new Observable((subscriber) => {
    if (!isSocketUrl(url)) {
      subscriber.error(malformedUrl(url))
      return
    }
    const awaitOpen = (socket: PlatformSocket): void => {
      const closing = new Subscription(() => detachAndClose(socket))
      subscriber.add(closing)
      if (subscriber.closed) return
      let errorEvent: unknown
      const emit = (): void => {
        subscriber.remove(closing)
        subscriber.next(socket)
        subscriber.complete()
      }
      socket.onopen = emit
      socket.onerror = (event) => (errorEvent = event)
      socket.onclose = () => subscriber.error(unreachable(url, errorEvent))
      if (socket.readyState === OPEN) emit()
    }
    const opening = platform.openSocket(url, { maxFrameSize })
    if ('then' in opening)
      opening.then(awaitOpen, (cause: unknown) =>
        subscriber.error(isCodeNotLoaded(cause) ? cause : withoutSockets(cause)),
      )
    else awaitOpen(opening)
  })
}

const OPEN = 1

/** Closes a socket and removes its handlers. */
function detachAndClose(socket: PlatformSocket): void {
  socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null
  socket.close()
}

const isSocketUrl = (url: string): boolean => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol)

const malformedUrl = (url: string): ChainRpcError =>
  connectError(new ChainError(`"${url}" is not a WebSocket URL`), {
    code: 'invalid-argument',
    url,
    why: 'this is no WebSocket URL',
    argument: 'url',
    hint: 'Set url to a WebSocket URL such as ws://127.0.0.1:17110.',
  })

function unreachable(url: string, errorEvent: unknown): ChainRpcError {
  const cause = toCause(errorEvent)
  return connectError(new ChainError(`${url} could not be reached`, { cause }), {
    code: 'connect-failed',
    url,
    why: whyUnreachable(cause),
    hint: 'Check the address, and that a node listens there.',
  })
}

/** The codes of Node's sockets, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}

/** Browsers give no reason. An AggregateError has an error for each address of the host. */
function whyUnreachable(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  const known = typeof code === 'string' ? REASONS[code] : undefined
  const details = known ?? causeDetails(cause)
  return details === '' ? 'the connection was closed before it was open' : details
}

/**
 * Bundles of Node services fail so: the packages of the socket are CommonJS, whose `require` an ES module does not
 * have.
 */
const withoutSockets = (cause: unknown): ChainRpcError =>
  connectError(new ChainError('This environment opens no WebSocket', { cause }), {
    code: 'connect-failed',
    why: `this environment opens no WebSocket: ${innermostMessage(cause)}`,
    hint: `${innermostMessage(cause)}. In a bundled Node service, keep ws and isomorphic-ws external.`,
  })

function innermostMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : innermostMessage(cause.cause)
}

/** The cause of a socket's error event; a browser's event has none. */
const toCause = (errorEvent: unknown): unknown =>
  typeof errorEvent === 'object' && errorEvent !== null && 'error' in errorEvent ? errorEvent.error : errorEvent
