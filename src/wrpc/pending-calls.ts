import { Observable, type SchedulerLike, type Subscriber } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import { callTimedOut, invalidRequest, remoteError } from './call-errors.js'
import type { DecodedMessage, Frame, WireCodec } from './codec.js'
import { createDeadlines } from './deadlines.js'

export interface PendingCallsDeps {
  readonly codec: Pick<WireCodec, 'encodeRequest'>
  readonly send: (frame: Frame) => void
  /** The error if the connection is closed; undefined while it is open. */
  readonly closedError: (method: RpcMethod) => ChainRpcError | undefined
  readonly scheduler: SchedulerLike
  /** The node's URL, for error messages. */
  readonly url: string
}

/** The pending calls of one connection, by request id. */
export interface PendingCalls {
  /** Sends a request and emits the response. Cold; unsubscribing discards the response. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>, timeout: number): Observable<RpcResponse<M>>
  /** The method of a pending call; undefined if the id is not pending. */
  readonly methodOf: (id: bigint) => RpcMethod | undefined
  /** Settles the call of a reply; ignores replies to calls that are not pending. */
  settle(id: bigint, message: CallReply): void
  /** Fails every call. */
  failAll(toError: (method: RpcMethod) => ChainRpcError): void
}

export type CallReply = Exclude<DecodedMessage, { readonly kind: 'notification' }>

interface Pending {
  readonly method: RpcMethod
  readonly subscriber: Subscriber<never>
}

export function createPendingCalls({ codec, send, closedError, scheduler, url }: PendingCallsDeps): PendingCalls {
  const pending = new Map<bigint, Pending>()
  const deadlines = createDeadlines(scheduler)
  let latestId = 0n

  const call: PendingCalls['call'] = (method, request, timeout) =>
    new Observable((subscriber) => {
      const id = ++latestId
      const frame = closedError(method) ?? encodeOrError(method, () => codec.encodeRequest(id, method, request))
      if (frame instanceof ChainRpcError) {
        subscriber.error(frame)
        return undefined
      }
      pending.set(id, { method, subscriber })
      const cancelDeadline = deadlines.set(timeout, () => subscriber.error(callTimedOut(method, url, timeout)))
      send(frame)
      return () => {
        pending.delete(id)
        cancelDeadline()
      }
    })

  return {
    call,
    methodOf: (id) => pending.get(id)?.method,
    settle: (id, message) => {
      const found = pending.get(id)
      if (found === undefined) return
      const { method, subscriber } = found
      if (message.kind === 'response') {
        subscriber.next(message.response as never) // the codec decodes the response by the method of the request
        subscriber.complete()
      } else subscriber.error(message.kind === 'error' ? remoteError(method, message.error) : message.error)
    },
    failAll: (toError) => {
      for (const { method, subscriber } of [...pending.values()]) subscriber.error(toError(method))
      deadlines.stop()
    },
  }
}

/** The encoded frame, or the error of an invalid request. */
function encodeOrError(method: RpcMethod, encode: () => Frame): Frame | ChainRpcError {
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return invalidRequest(method, error as ChainError)
  }
}
