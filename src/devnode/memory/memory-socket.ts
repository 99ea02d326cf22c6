import type { PlatformSocket } from '../../platform/port.js'
import type { Frame } from '../../wrpc/codec.js'
import type { ServerSocket } from '../server/server-socket.js'
import { joinFrames } from './join-frames.js'
import { createPipe, type Pipe, type Post } from './pipe.js'

/** The two ends of a connection without a network. */
export interface SocketPair {
  readonly client: PlatformSocket
  readonly server: ServerSocket
  /** Completes the handshake; to be called once, and not after the end. */
  open(): void
  isEnded(): boolean
  /** Bytes of the messages that were handed over so far. */
  readonly bytes: { readonly sent: number; readonly received: number }
}

/** What arrives at an end. */
type ToClient =
  | { readonly kind: 'open' }
  | { readonly kind: 'message'; readonly data: Frame }
  | { readonly kind: 'end'; readonly code: number; readonly reason: string }
type ToServer = { readonly kind: 'message'; readonly data: Uint8Array } | { readonly kind: 'end' }

interface Pipes {
  readonly toClient: Pipe<ToClient>
  readonly toServer: Pipe<ToServer>
}

interface ServerEnd extends ServerSocket {
  open(): void
  isEnded(): boolean
  receive(event: ToServer): void
}

interface ClientEnd extends PlatformSocket {
  receive(event: ToClient): void
}

/** Close codes of a connection that ends without a close frame, and of a normal close. */
const ABNORMAL = 1006
const NORMAL = 1000

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3] as const

/** A connection whose messages arrive in order, each by `post`. What was sent before its end still arrives, except at a reset. */
export function createSocketPair(post: Post): SocketPair {
  const bytes = { sent: 0, received: 0 }
  const pipes: Pipes = {
    toClient: createPipe(post, (event) => {
      if (event.kind === 'message') bytes.sent += event.data.length
      client.receive(event)
    }),
    toServer: createPipe(post, (event) => {
      if (event.kind === 'message') bytes.received += event.data.length
      server.receive(event)
    }),
  }
  const client = createClientEnd(pipes)
  const server = createServerEnd(pipes)
  return {
    client,
    server,
    bytes,
    open() {
      server.open()
      pipes.toClient.send({ kind: 'open' })
    },
    isEnded: () => server.isEnded(),
  }
}

function createClientEnd({ toClient, toServer }: Pipes): ClientEnd {
  let state: 0 | 1 | 2 | 3 = CONNECTING
  const client: ClientEnd = {
    get readyState() {
      return state
    },
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send(data) {
      if (state === OPEN) toServer.send({ kind: 'message', data: toBytes(data) })
    },
    close(code = NORMAL, reason = '') {
      if (state >= CLOSING) return
      state = CLOSING
      toServer.send({ kind: 'end' })
      toClient.send({ kind: 'end', code, reason })
    },
    receive(event) {
      if (event.kind === 'open' && state === CONNECTING) {
        state = OPEN
        client.onopen?.()
      } else if (event.kind === 'message' && state === OPEN) client.onmessage?.({ data: event.data })
      else if (event.kind === 'end' && state !== CLOSED) {
        state = CLOSED
        client.onclose?.({ code: event.code, reason: event.reason })
      }
    },
  }
  return client
}

function createServerEnd({ toClient, toServer }: Pipes): ServerEnd {
  const closeHandlers: (() => void)[] = []
  let onMessage: (data: Uint8Array) => void = () => undefined
  let parts: readonly Frame[] = []
  let state: 'connecting' | 'open' | 'ended' = 'connecting'
  const end = (): void => {
    state = 'ended'
    toServer.discard()
    for (const closed of closeHandlers) closed()
  }
  const close = (code: number): void => {
    if (state === 'ended') return
    toClient.send({ kind: 'end', code, reason: '' })
    end()
  }
  return {
    open: () => (state = 'open'),
    receive(event) {
      if (event.kind === 'message') onMessage(event.data)
      else if (state !== 'ended') end()
    },
    isOpen: () => state === 'open',
    isEnded: () => state === 'ended',
    unsent: () => 0,
    send(part, isLast) {
      parts = [...parts, part]
      if (!isLast) return
      toClient.send({ kind: 'message', data: joinFrames(parts) })
      parts = []
    },
    onMessage: (handler) => (onMessage = handler),
    onClose: (handler) => void closeHandlers.push(handler),
    terminate: () => close(ABNORMAL),
    reset() {
      toClient.discard()
      close(ABNORMAL)
    },
    close,
    pause: () => toServer.pause(),
    resume: () => toServer.resume(),
  }
}

const UTF8 = /*#__PURE__*/ new TextEncoder()

/** A copy: the sender may reuse its buffer. */
const toBytes = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? UTF8.encode(data) : data.slice())
