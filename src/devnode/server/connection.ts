import type { Socket } from 'node:net'
import type { AddressPrefix } from '../../model/network.js'
import type { NodeNotification, NotificationScope, RpcMethod } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import type { Victim } from '../faults/fault.js'
import type { FaultLayer } from '../faults/layer.js'
import type { CallContext, Caller } from './handlers/handler.js'
import type { NodeSocket } from './node-socket.js'
import { toStrictJson } from './strict-json.js'
import { createOutbox, type Outbox } from './outbox.js'
import { CUT, respond } from './respond.js'
import {
  cutToScope,
  NO_SUBSCRIPTIONS,
  reduceSubscriptions,
  toScopes,
  type SubscriptionRequest,
  type Subscriptions,
} from './subscriptions.js'

/** One client, from its handshake to its end. */
export interface Connection extends Victim {
  readonly id: bigint
  /** What it is subscribed to now. */
  scopes(): readonly NotificationScope[]
  /** What it has subscribed to and cancelled, in order: the newest thousand of such requests. */
  requests(): readonly SubscriptionRequest[]
  /** Passes on what concerns it. `encode` is shared with the other connections, so that each event is encoded once. */
  tell(events: readonly NodeNotification[], encode: (event: NodeNotification) => Frame): void
}

/** What the connections of one server share. */
export interface ConnectionContext {
  readonly codec: WireCodec
  readonly prefix: AddressPrefix
  readonly faults: FaultLayer
  readonly node: Omit<CallContext, 'caller'>
}

/** The two ends of an open WebSocket: the messages, and the TCP connection that carries them. */
export interface OpenSocket {
  readonly messages: NodeSocket
  readonly tcp: Socket
}

/** Serves one client: its requests one after the other, its notifications between them. */
export function createConnection(id: bigint, socket: OpenSocket, context: ConnectionContext): Connection {
  const { codec, faults, node } = context
  const { messages } = socket
  const subscriber = createSubscriber(context.prefix)
  const isOpen = () => messages.readyState === messages.OPEN
  const outbox = createOutbox((part, fin) => {
    if (isOpen()) messages.send(part, { fin })
  })
  const post = (frame: Frame, answers?: RpcMethod) => {
    const parcel = { frame, answers, delay: 0, held: 0, pace: undefined }
    for (const one of faults.parcels(parcel)) outbox.post(one)
  }
  messages.on('message', (data: Buffer) => {
    if (!isOpen()) return // several messages may come in one chunk, and one of them end the connection
    const frame = toFrame(data, codec)
    const reaction =
      frame === undefined ? CUT : respond(frame, codec, faults, { ...node, caller: { id, ...subscriber } })
    if (reaction.kind === 'cut') messages.terminate()
    else if (reaction.kind === 'answer') post(reaction.frame, reaction.method)
  })
  messages.on('close', () => outbox.dispose())
  messages.on('error', () => undefined) // a frame against the protocol: the socket ends itself, and nobody else has to know

  return {
    id,
    scopes: () => toScopes(subscriber.subscriptions()),
    requests: () => subscriber.requests(),
    tell(events, encode) {
      const heard = events
        .map((event) => cutToScope(event, subscriber.subscriptions()))
        .filter((event) => event !== undefined)
      if (heard.length > 0) for (const event of faults.notifications(heard)) post(encode(event))
    },
    ...toVictim(socket, outbox),
  }
}

interface Subscriber extends Omit<Caller, 'id'> {
  subscriptions(): Subscriptions
  requests(): readonly SubscriptionRequest[]
}

/** How many requests of a connection are remembered. */
const REMEMBERED = 1_000

/** What one connection is subscribed to, as it changes. */
function createSubscriber(prefix: AddressPrefix): Subscriber {
  const requests: SubscriptionRequest[] = []
  let subscriptions = NO_SUBSCRIPTIONS
  const change = (type: SubscriptionRequest['type']) => (scope: NotificationScope) => {
    const request = { type, scope }
    if (requests.push(request) > REMEMBERED) requests.shift()
    subscriptions = reduceSubscriptions(subscriptions, request, prefix)
  }
  return {
    subscriptions: () => subscriptions,
    requests: () => [...requests],
    subscribe: change('subscribe'),
    unsubscribe: change('unsubscribe'),
  }
}

function toVictim({ messages, tcp }: OpenSocket, outbox: Outbox): Victim {
  let freezes = 0
  return {
    cut: () => messages.terminate(),
    reset: () => void tcp.resetAndDestroy(),
    close: (code) => messages.closeWithFrame(code),
    freeze() {
      freezes += 1
      messages.pause()
      outbox.hold()
    },
    thaw() {
      freezes -= 1
      if (freezes > 0) return
      messages.resume()
      outbox.release()
    },
  }
}

const UTF8 = /*#__PURE__*/ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A node looks at the content only, not at whether a message calls itself text or binary. Undefined: text that it cannot parse. */
function toFrame(data: Buffer, { encoding }: WireCodec): Frame | undefined {
  if (encoding === 'Borsh') return Uint8Array.from(data)
  try {
    return toStrictJson(UTF8.decode(data))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
