import { Observable, Subscription } from 'rxjs'
import { causeDetails } from '../errors/shown.js'
import { ChainError } from '../errors/chain-error.js'
import { isCodeNotLoaded } from '../errors/not-ready-error.js'
import { connectError, type ChainRpcError } from '../errors/rpc-error.js'
import type { Platform, PlatformSocket } from '../platform/port.js'

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
export function detachAndClose(socket: PlatformSocket): void {
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
