import type { AddressPrefix } from '../../model/network.js'
import type { NodeNotification, NotificationScope, RpcMethod } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import type { FaultTarget } from '../faults/fault.js'
import type { FaultLayer } from '../faults/faults.js'
import type { CallContext, Caller } from './handlers/handler.js'
import type { Timers } from '../machine.js'
import { toStrictJson } from './strict-json.js'
import { createOutbox, type Outbox } from './outbox.js'
import { CUT, respond } from './respond.js'
import {
  restrictToScope,
  NO_SUBSCRIPTIONS,
  reduceSubscriptions,
  toScopes,
  type SubscriptionRequest,
  type Subscriptions,
} from './subscriptions.js'

/** One client's connection. */
export interface Connection extends FaultTarget {
  readonly id: bigint
  /** Its current subscriptions. */
  scopes(): readonly NotificationScope[]
  /** Its subscribe and unsubscribe requests in order: the newest thousand. */
  requests(): readonly SubscriptionRequest[]
  /**
   * Sends the notifications that it has subscribed to. `encode` is shared by all connections, so that each is encoded
   * once.
   */
  notify(events: readonly NodeNotification[], encode: (event: NodeNotification) => Frame): void
}

/** What the connections of one server share. */
export interface ConnectionContext {
  readonly codec: WireCodec
  readonly prefix: AddressPrefix
  readonly faults: FaultLayer
  readonly timers: Timers
  readonly node: Omit<CallContext, 'caller'>
}

/** Serves one client: requests in order, notifications between them. */
export function createConnection(id: bigint, socket: ServerSocket, context: ConnectionContext): Connection {
  const { codec, faults, node, timers } = context
  const subscriber = createSubscriber(context.prefix)
  const outbox = createOutbox(
    (part, isLast) => {
      if (socket.isOpen()) socket.send(part, isLast)
    },
    { unsent: () => socket.unsent(), onExceeded: () => socket.terminate() },
    timers,
  )
  const post = (frame: Frame, replyTo?: RpcMethod) => {
    const message = { frame, replyTo, delay: 0, reorderDelay: 0, bytesPerSecond: undefined }
    for (const one of faults.outgoing(message)) outbox.post(one)
  }
  socket.onMessage((data) => {
    if (!socket.isOpen()) return // an earlier message of the same chunk may have ended the connection
    const frame = toFrame(data, codec)
    const outcome =
      frame === undefined ? CUT : respond(frame, codec, faults, { ...node, caller: { id, ...subscriber } })
    if (outcome.kind === 'cut') socket.terminate()
    else if (outcome.kind === 'reply') post(outcome.frame, outcome.method)
  })
  socket.onClose(() => outbox.dispose())

  return {
    id,
    scopes: () => toScopes(subscriber.subscriptions()),
    requests: () => subscriber.requests(),
    notify(events, encode) {
      const inScope = events
        .map((event) => restrictToScope(event, subscriber.subscriptions()))
        .filter((event) => event !== undefined)
      if (inScope.length > 0) for (const event of faults.notifications(inScope)) post(encode(event))
    },
    ...toFaultTarget(socket, outbox),
  }
}

interface Subscriber extends Omit<Caller, 'id'> {
  subscriptions(): Subscriptions
  requests(): readonly SubscriptionRequest[]
}

/** How many requests of a connection are kept. */
const MAX_REQUESTS = 1_000

/** The subscription state of one connection. */
function createSubscriber(prefix: AddressPrefix): Subscriber {
  const requests: SubscriptionRequest[] = []
  let subscriptions = NO_SUBSCRIPTIONS
  const change = (type: SubscriptionRequest['type']) => (scope: NotificationScope) => {
    const request = { type, scope }
    if (requests.push(request) > MAX_REQUESTS) requests.shift()
    subscriptions = reduceSubscriptions(subscriptions, request, prefix)
  }
  return {
    subscriptions: () => subscriptions,
    requests: () => [...requests],
    subscribe: change('subscribe'),
    unsubscribe: change('unsubscribe'),
  }
}

function toFaultTarget(socket: ServerSocket, outbox: Outbox): FaultTarget {
  let freezes = 0
  return {
    cut: () => socket.terminate(),
    reset: () => socket.reset(),
    close: (code) => socket.close(code),
    freeze() {
      freezes += 1
      socket.pause()
      outbox.pause()
    },
    thaw() {
      freezes -= 1
      if (freezes > 0) return
      socket.resume()
      outbox.resume()
    },
  }
}

const UTF8 = /*#__PURE__*/ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A node ignores the WebSocket opcode (text or binary). Undefined: text that it cannot parse. */
function toFrame(data: Uint8Array, { encoding }: WireCodec): Frame | undefined {
  if (encoding === 'Borsh') return Uint8Array.from(data)
  try {
    return toStrictJson(UTF8.decode(data))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A client's socket as the node sees it: over TCP, or within the process. */
export interface ServerSocket {
  /** Whether messages can be sent and are read. */
  isOpen(): boolean
  /** Bytes handed over by `send` and not yet sent. */
  unsent(): number
  /** Sends a message, or one part of it. */
  send(part: Frame, isLast: boolean): void
  /** Sets the handler of complete messages, text as UTF-8. */
  onMessage(handler: (data: Uint8Array) => void): void
  /** Adds a handler of the end of the connection. */
  onClose(handler: () => void): void
  /** Ends the connection without a close frame, as a node does. */
  terminate(): void
  /** Ends it by a TCP reset: what has not been delivered is lost. */
  reset(): void
  /** Sends a close frame, as a proxy does; a node never sends one. */
  close(code: number): void
  /** Stops and continues reading. */
  pause(): void
  resume(): void
}
