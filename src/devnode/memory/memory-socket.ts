import { createLocalSocket } from '../../platform/local-socket.js'
import type { PlatformSocket } from '../../platform/port.js'
import type { Frame } from '../../wrpc/codec.js'
import type { ServerSocket } from '../server/connection.js'

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

interface ClientEnd {
  readonly socket: PlatformSocket
  receive(event: ToClient): void
}

/** The close code of a connection that ends without a close frame. */
const ABNORMAL = 1006

/**
 * A connection whose messages arrive in order, each by `post`. What was sent before its end still arrives, except at a
 * reset.
 */
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
    client: client.socket,
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
  const { socket, open, deliver, end } = createLocalSocket({
    send: (data) => toServer.send({ kind: 'message', data: toBytes(data) }),
    close: (code, reason) => {
      toServer.send({ kind: 'end' })
      toClient.send({ kind: 'end', code, reason })
    },
  })
  return {
    socket,
    receive(event) {
      if (event.kind === 'open') open()
      else if (event.kind === 'message') deliver(event.data)
      else end(event.code, event.reason)
    },
  }
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

/** One message of its parts, which are all text or all bytes. */
function joinFrames(parts: readonly Frame[]): Frame {
  const [first = ''] = parts
  if (parts.length <= 1) return first
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    if (typeof part !== 'string') whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Runs `work` soon and in order, never within the call. */
export type Post = (work: () => void) => void

/** One direction of a connection: items arrive in order, each in a turn of its own. */
interface Pipe<T> {
  send(item: T): void
  /** Delivers nothing until `resume`. */
  pause(): void
  resume(): void
  /** Drops what has not arrived. */
  discard(): void
}

function createPipe<T>(post: Post, deliver: (item: T) => void): Pipe<T> {
  let waiting: T[] = []
  let isPaused = false
  const deliverNext = (): void => {
    const next = isPaused ? undefined : waiting.shift()
    if (next !== undefined) deliver(next)
  }
  return {
    send(item) {
      waiting.push(item)
      post(deliverNext)
    },
    pause: () => (isPaused = true),
    resume() {
      isPaused = false
      for (const _ of waiting) post(deliverNext)
    },
    discard: () => (waiting = []),
  }
}
