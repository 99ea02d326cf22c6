import type { WebSocket } from 'ws'
import type {
  NodeNotification,
  NotificationScope,
  NotificationType,
  RpcMethod,
  RpcRequest,
  RpcResponse,
} from '../../../../src/node/messages/records.js'
import type { DecodedMessage, Frame, WireCodec } from '../../../../src/wrpc/codec.js'
import type { WireError } from '../../../../src/wrpc/wire-errors.js'
import { createNotificationLog } from './notification-log.js'
import { openWebSocket, type OpenTestSocket, type TestSocket } from './test-socket.js'

type NotificationOf<T extends NotificationType> = Extract<NodeNotification, { type: T }>

/** An error response of the node. */
export class RpcRejection extends Error {
  constructor(readonly error: WireError) {
    super(error.message)
  }
}

/** A minimal client: frames, the codec, and the received notifications. */
export interface TestClient {
  /** Rejects with `RpcRejection`, or if the connection ends first. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>>
  /** The error message of a rejected call. */
  rejection<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<string>
  /** Resolves to the id in the node's response. */
  subscribe(scope: NotificationScope): Promise<bigint>
  unsubscribe(scope: NotificationScope): Promise<void>
  /** All notifications, in the order of arrival. */
  readonly notifications: readonly NodeNotification[]
  /** The first matching notification of a type from index `from` on; waits for it. */
  waitFor<T extends NotificationType>(
    type: T,
    matches?: (notification: NotificationOf<T>) => boolean,
    from?: number,
  ): Promise<NotificationOf<T>>
  close(): void
}

interface PendingCall {
  readonly method: RpcMethod
  readonly settle: (message: DecodedMessage) => void
  readonly fail: (error: Error) => void
}

/** A client over TCP. */
export interface TcpTestClient extends TestClient {
  readonly socket: WebSocket
}

/** Connects over TCP. Rejects where the connection fails. */
export const connect = (url: string, codec: WireCodec): Promise<TcpTestClient> => connectBy(openWebSocket, url, codec)

/** Connects by `openSocket`. Rejects where the connection fails. */
export async function connectBy<S extends TestSocket>(
  openSocket: OpenTestSocket<S>,
  url: string,
  codec: WireCodec,
): Promise<TestClient & { readonly socket: S }> {
  const calls = new Map<bigint, PendingCall>()
  const log = createNotificationLog()
  let lastId = 2n ** 63n // above 2^53, as the ids of real clients are

  const onFrame = (frame: Frame) => {
    const message = codec.decodeMessage(frame, (id) => calls.get(id)?.method)
    if (message.kind === 'notification') log.add(message.notification)
    else if (message.id !== undefined) {
      calls.get(message.id)?.settle(message)
      calls.delete(message.id)
    }
  }
  const onClose = () => {
    for (const { fail, method } of calls.values()) fail(new Error(`The connection ended during ${method}`))
  }
  const socket = await openSocket(url, { onFrame, onClose })

  const call = <M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>> => {
    const id = (lastId += 1n)
    return new Promise((resolve, reject) => {
      const settle = (message: DecodedMessage) => {
        if (message.kind === 'response') resolve(message.response as RpcResponse<M>)
        else
          reject(
            message.kind === 'error' ? new RpcRejection(message.error) : new Error(`Unreadable reply to ${method}`),
          )
      }
      calls.set(id, { method, settle, fail: reject })
      socket.send(codec.encodeRequest(id, method, request))
    })
  }

  return {
    socket,
    ...log.reads,
    call,
    rejection: async (method, request) => {
      const outcome = await call(method, request).catch((error: unknown) => error)
      if (outcome instanceof RpcRejection) return outcome.message
      throw outcome instanceof Error ? outcome : new Error(`${method} was not rejected`)
    },
    subscribe: async (scope) => (await call('subscribe', { scope })).id,
    unsubscribe: async (scope) => {
      await call('unsubscribe', { scope })
    },
    close: () => socket.terminate(),
  }
}
