import { Observable, type SchedulerLike, type Subscriber } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import { remoteError, unanswered, unwritable } from './call-errors.js'
import type { DecodedMessage, Frame, WireCodec } from './codec.js'
import { createDeadlines } from './deadlines.js'

export interface PendingCallsDeps {
  readonly codec: Pick<WireCodec, 'encodeRequest'>
  readonly send: (frame: Frame) => void
  /** Why nothing can be sent any more; undefined while it can. */
  readonly refuse: (method: RpcMethod) => ChainRpcError | undefined
  readonly scheduler: SchedulerLike
  /** Where the node is, for messages. */
  readonly url: string
}

/** The calls of one connection that wait for their answers, each under an id of its own. */
export interface PendingCalls {
  /** Sends a request and emits its answer. Cold; unsubscribing forgets the request. */
  ask<M extends RpcMethod>(method: M, request: RpcRequest<M>, timeout: number): Observable<RpcResponse<M>>
  /** What was asked under an id; undefined where nobody waits for it. */
  readonly methodOf: (id: bigint) => RpcMethod | undefined
  /** Gives an answer to the call that waits for it; what nobody waits for is dropped. */
  settle(id: bigint, message: AnyAnswer): void
  /** Fails every call. */
  failAll(toError: (method: RpcMethod) => ChainRpcError): void
}

export type AnyAnswer = Exclude<DecodedMessage, { readonly kind: 'notification' }>

interface Pending {
  readonly method: RpcMethod
  readonly subscriber: Subscriber<never>
}

export function createPendingCalls({ codec, send, refuse, scheduler, url }: PendingCallsDeps): PendingCalls {
  const pending = new Map<bigint, Pending>()
  const deadlines = createDeadlines(scheduler)
  let latestId = 0n

  const ask: PendingCalls['ask'] = (method, request, timeout) =>
    new Observable((subscriber) => {
      const id = ++latestId
      const frame = refuse(method) ?? encoded(method, () => codec.encodeRequest(id, method, request))
      if (frame instanceof ChainRpcError) {
        subscriber.error(frame)
        return undefined
      }
      pending.set(id, { method, subscriber })
      const relax = deadlines.set(timeout, () => subscriber.error(unanswered(method, url, timeout)))
      send(frame)
      return () => {
        pending.delete(id)
        relax()
      }
    })

  return {
    ask,
    methodOf: (id) => pending.get(id)?.method,
    settle: (id, message) => {
      const call = pending.get(id)
      if (call === undefined) return
      const { method, subscriber } = call
      if (message.kind === 'response') {
        subscriber.next(message.response as never) // the codec reads an answer by the method that was asked
        subscriber.complete()
      } else subscriber.error(message.kind === 'error' ? remoteError(method, message.error) : message.error)
    },
    failAll: (toError) => {
      for (const { method, subscriber } of [...pending.values()]) subscriber.error(toError(method))
      deadlines.stop()
    },
  }
}

/** The frame, or the refusal of a request that holds what has no place in one. */
function encoded(method: RpcMethod, encode: () => Frame): Frame | ChainRpcError {
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return unwritable(method, error as ChainError)
  }
}
