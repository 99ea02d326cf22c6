import { once } from 'node:events'
import { WebSocket } from 'ws'
import type {
  NodeNotification,
  NotificationScope,
  NotificationType,
  RpcMethod,
  RpcRequest,
  RpcResponse,
} from '../../../../src/node/messages/records.js'
import type { DecodedMessage, Frame, WireCodec } from '../../../../src/wrpc/codec.js'
import type { WireError } from '../../../../src/wrpc/wire-error.js'

type NotificationOf<T extends NotificationType> = Extract<NodeNotification, { type: T }>

/** The node's refusal of a call. */
export class Refusal extends Error {
  constructor(readonly error: WireError) {
    super(error.message)
  }
}

/** A bare client: frames, the codec, and what was heard. */
export interface TestClient {
  readonly socket: WebSocket
  /** Rejects with `Refusal`, or where the connection ends first. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>>
  /** The words in which a call is refused. */
  refusal<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<string>
  /** Resolves to the number that the node gives. */
  subscribe(scope: NotificationScope): Promise<bigint>
  unsubscribe(scope: NotificationScope): Promise<void>
  /** All notifications, in the order of arrival. */
  readonly heard: readonly NodeNotification[]
  /** The next of a type that fits, counted from the `from`-th notification heard; waits for it. */
  hear<T extends NotificationType>(
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

/** Connects. Rejects where nobody listens. */
export async function connect(url: string, codec: WireCodec): Promise<TestClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 })
  const calls = new Map<bigint, PendingCall>()
  const heard: NodeNotification[] = []
  let listeners: readonly (() => void)[] = []
  let lastId = 2n ** 63n // above 2^53, as the ids of real clients are

  socket.on('message', (data: Buffer, isBinary) => {
    const frame: Frame = isBinary ? Uint8Array.from(data) : data.toString('utf8')
    const message = codec.decodeMessage(frame, (id) => calls.get(id)?.method)
    if (message.kind === 'notification') {
      heard.push(message.notification)
      for (const listener of listeners) listener()
    } else if (message.id !== undefined) {
      calls.get(message.id)?.settle(message)
      calls.delete(message.id)
    }
  })
  socket.on('close', () => {
    for (const { fail, method } of calls.values()) fail(new Error(`The connection ended during ${method}`))
  })
  await once(socket, 'open')

  const call = <M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>> => {
    const id = (lastId += 1n)
    return new Promise((resolve, reject) => {
      const settle = (message: DecodedMessage) => {
        if (message.kind === 'response') resolve(message.response as RpcResponse<M>)
        else reject(message.kind === 'error' ? new Refusal(message.error) : new Error(`Unreadable answer to ${method}`))
      }
      calls.set(id, { method, settle, fail: reject })
      socket.send(codec.encodeRequest(id, method, request))
    })
  }

  return {
    socket,
    heard,
    call,
    refusal: async (method, request) => {
      const outcome = await call(method, request).catch((error: unknown) => error)
      if (outcome instanceof Refusal) return outcome.message
      throw outcome instanceof Error ? outcome : new Error(`${method} was not refused`)
    },
    subscribe: async (scope) => (await call('subscribe', { scope })).id,
    unsubscribe: async (scope) => {
      await call('unsubscribe', { scope })
    },
    hear: (type, matches = () => true, from = 0) =>
      new Promise((resolve) => {
        const fits = (one: NodeNotification): one is NotificationOf<typeof type> =>
          one.type === type && matches(one as NotificationOf<typeof type>)
        const look = () => {
          const found = heard.slice(from).find(fits)
          if (found === undefined) return
          listeners = listeners.filter((one) => one !== look)
          resolve(found)
        }
        listeners = [...listeners, look]
        look()
      }),
    close: () => socket.terminate(),
  }
}
