import { Observable, Subscription, filter, type SchedulerLike } from 'rxjs'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { ClosedReason, Endpoint, NodeConnection } from '../../node/port.js'
import type { createNodeConnection } from '../client.js'
import type { FrameHandlers, FrameSocket } from '../web-socket.js'
import { decodeError, sizeOf, toPlainRequest } from './plain-data.js'
import { type ToTab, type ToTabMap, type ToWorker, decodeResponse } from './messages.js'
import type { TabSession } from './tab-session.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { ClientCodec } from '../codec.js'

export interface DialSharedDeps {
  readonly session$: Observable<TabSession>
  /** Handed in: it is loaded with what a connection of the tab's own needs. */
  readonly createNodeConnection: typeof createNodeConnection
  readonly network: ChainNetwork
  readonly requestTimeout: number
  /** Bytes. */
  readonly maxFrameSize: number
  readonly scheduler: SchedulerLike
  /** Numbers the virtual connections of this tab. */
  readonly nextConnection: () => number
}

type Message = ToWorker | ToTab

/**
 * Opens a virtual connection over the worker's socket to an endpoint: as `dial` of a `NodePort`. Errors with
 * `SessionEnded` where there is no worker.
 */
export const dialShared$ = (endpoint: Endpoint, deps: DialSharedDeps): Observable<NodeConnection> =>
  new Observable((subscriber) => {
    const { network, maxFrameSize, scheduler, requestTimeout } = deps
    const connection = deps.nextConnection()
    const lifetime = new Subscription()
    const socket = createVirtualSocket(connection, lifetime)
    let isOpen = false

    const onMessage = (message: ToTab): void => {
      if (message.type === 'open') {
        isOpen = true
        const codec = createTabCodec(connection, endpoint.encoding)
        const virtual = { ...deps.createNodeConnection(socket, { endpoint, codec, scheduler, requestTimeout }) }
        delete virtual.chainBlocks // an iteration cannot be posted: callers request the record
        subscriber.next(virtual)
        subscriber.complete()
      } else if (message.type === 'refused') {
        lifetime.unsubscribe()
        subscriber.error(decodeError(message.error))
      } else socket.receive(message)
    }
    const dial = ({ post, messages$ }: TabSession): void => {
      socket.post = post
      lifetime.add(
        messages$.pipe(filter((one) => 'connection' in one && one.connection === connection)).subscribe(onMessage),
      )
      post({ type: 'dial', connection, network, ...endpoint, maxFrameSize, requestTimeout })
    }
    lifetime.add(
      deps.session$.subscribe({
        next: dial,
        error: (ended: Error) => {
          if (isOpen) socket.receive({ type: 'closed', connection, code: undefined, reason: ended.message })
          else subscriber.error(ended)
        },
      }),
    )
    return () => {
      if (!isOpen) socket.close()
    }
  })

interface VirtualSocket extends FrameSocket<Message> {
  post: (message: ToWorker) => void
  receive(message: ToTab): void
}

/** Notifications, and bytes of them, after which a tab says how many it has received. */
const [ACK_COUNT, ACK_BYTES] = [32, 2 ** 20]

/** The tab's end of a virtual connection; `lifetime` ends with it. */
function createVirtualSocket(connection: number, lifetime: Subscription): VirtualSocket {
  let handlers: FrameHandlers<Message> | undefined
  let received = 0
  let acknowledged = 0
  let bytes = 0
  /** Seldom, because each message wakes the worker. */
  const acknowledge = ({ data }: ToTabMap['notification']['notification']): void => {
    received++
    bytes += sizeOf(data)
    if (received - acknowledged < ACK_COUNT && bytes < ACK_BYTES) return
    acknowledged = received
    bytes = 0
    socket.post({ type: 'ack', connection, received })
  }
  const close = (reason: ClosedReason): void => {
    lifetime.unsubscribe()
    handlers?.onClose(reason)
  }
  const socket: VirtualSocket = {
    post: () => undefined, // before there is a session
    send: (message) => socket.post(message as ToWorker), // of the codec's `encodeRequest`
    cancel: (id) => socket.post({ type: 'cancel', connection, id }),
    attach: (attached) => (handlers = attached),
    receive: (message) => {
      if (message.type === 'closed') {
        close({ code: message.code, reason: message.reason })
        return
      }
      handlers?.onFrame(message)
      if (message.type === 'notification') acknowledge(message.notification)
    },
    close: () => {
      handlers = undefined
      if (!lifetime.closed) socket.post({ type: 'close', connection })
      lifetime.unsubscribe()
    },
  }
  return socket
}

/** The codec of a virtual connection, whose frames are messages: the worker encodes for the node. */
export const createTabCodec = (connection: number, encoding: RpcEncoding): ClientCodec<ToWorker | ToTab> => ({
  encoding,
  encodeRequest: (id, method, request, format = 'record') => ({
    type: 'call',
    connection,
    id,
    method,
    format,
    request: toPlainRequest(request),
  }),
  decodeMessage: (message) => {
    switch (message.type) {
      case 'result':
        return decodeResponse(message)
      case 'notification':
        return { kind: 'notification', notification: message.notification }
      case 'error':
        return { kind: 'malformed', id: message.id, error: decodeError(message.error) }
      case 'malformed':
        return { kind: 'malformed', id: undefined, error: decodeError(message.error) }
      default:
        return { kind: 'malformed', id: undefined, error: unexpected(message.type) }
    }
  },
})

/** No message of this type is handed to the codec. */
const unexpected = (type: string): ChainRpcError => new ChainRpcError(type, undefined, { code: 'malformed' })
