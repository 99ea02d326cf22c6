import { ReplaySubject, Subject, type SchedulerLike } from 'rxjs'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification } from '../node/messages/records.js'
import type { ClosedReason, Endpoint, NodeConnection } from '../node/port.js'
import type { PlatformSocket } from '../platform/port.js'
import { connectionLost } from './call-errors.js'
import type { Frame, WireCodec } from './codec.js'
import { abandon } from './open-socket.js'
import { createPendingCalls } from './pending-calls.js'

export interface NodeConnectionDeps {
  readonly endpoint: Endpoint
  readonly codec: WireCodec
  readonly scheduler: SchedulerLike
  /** The bound of a call that names none of its own, ms. */
  readonly requestTimeout: number
}

/** Speaks to a node over a socket that stands: the socket is this connection's, to its end. */
export function createNodeConnection(socket: PlatformSocket, deps: NodeConnectionDeps): NodeConnection {
  const { endpoint, codec, scheduler, requestTimeout } = deps
  const { url } = endpoint
  const notifications$ = new Subject<NodeNotification>()
  const malformed$ = new Subject<ChainRpcError>()
  const closed$ = new ReplaySubject<ClosedReason>(1)
  let ended: ClosedReason | undefined
  const calls = createPendingCalls({
    codec,
    scheduler,
    url,
    send: (frame) => socket.send(frame),
    refuse: (method) => ended && connectionLost(method, url, ended),
  })

  const hear = (frame: Frame): void => {
    const message = codec.decodeMessage(frame, calls.methodOf)
    if (message.kind === 'notification') notifications$.next(message.notification)
    else if (message.id !== undefined) calls.settle(message.id, message)
    else if (message.kind === 'malformed') malformed$.next(message.error)
  }

  const end = (reason: ClosedReason): void => {
    if (ended !== undefined) return
    ended = reason
    abandon(socket)
    notifications$.complete()
    malformed$.complete()
    calls.failAll((method) => connectionLost(method, url, reason))
    closed$.next(reason)
    closed$.complete()
  }

  listen(socket, hear, end)
  return {
    endpoint,
    call: (method, request, { timeout = requestTimeout } = {}) => calls.ask(method, request, timeout),
    notifications$: notifications$.asObservable(),
    malformed$: malformed$.asObservable(),
    closed$: closed$.asObservable(),
    close: () => end(CLOSED),
  }
}

function listen(socket: PlatformSocket, hear: (frame: Frame) => void, end: (reason: ClosedReason) => void): void {
  let trouble: unknown
  socket.onmessage = ({ data }) => hear(toFrame(data))
  socket.onerror = (event) => (trouble = event)
  socket.onclose = ({ code, reason }) => end({ code, reason: reason || words(code), cause: trouble })
}

const toFrame = (data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): Frame =>
  typeof data === 'string' || ArrayBuffer.isView(data) ? data : new Uint8Array(data)

const CLOSED: ClosedReason = { reason: 'it was closed from this side' }

/** A real node never says goodbye: its sockets end with 1006. */
const words = (code: number): string => (code === 1006 ? 'it ended without a goodbye' : `it was closed (${code})`)
