import { Observable, type SchedulerLike } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import { remoteError, unanswered, unwritable } from './call-errors.js'
import type { DecodedMessage, Frame, WireCodec } from './codec.js'

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
  readonly answer: (response: unknown) => void
  readonly fail: (error: ChainRpcError) => void
}

export function createPendingCalls({ codec, send, refuse, scheduler, url }: PendingCallsDeps): PendingCalls {
  const pending = new Map<bigint, Pending>()
  let latestId = 0n

  const ask: PendingCalls['ask'] = (method, request, timeout) =>
    new Observable((subscriber) => {
      const refusal = refuse(method)
      if (refusal !== undefined) {
        subscriber.error(refusal)
        return
      }
      const id = ++latestId
      const frame = encoded(() => codec.encodeRequest(id, method, request))
      if (frame instanceof ChainError) {
        subscriber.error(unwritable(method, frame))
        return
      }
      const answer = (response: unknown): void => {
        subscriber.next(response as RpcResponse<typeof method>)
        subscriber.complete()
      }
      const deadline = scheduler.schedule(() => subscriber.error(unanswered(method, url, timeout)), timeout)
      pending.set(id, { method, answer, fail: (error) => subscriber.error(error) })
      subscriber.add(() => {
        pending.delete(id)
        deadline.unsubscribe()
      })
      send(frame)
    })

  return {
    ask,
    methodOf: (id) => pending.get(id)?.method,
    settle: (id, message) => {
      const call = pending.get(id)
      if (call === undefined) return
      if (message.kind === 'response') call.answer(message.response)
      else call.fail(message.kind === 'error' ? remoteError(call.method, message.error) : message.error)
    },
    failAll: (toError) => {
      for (const { method, fail } of [...pending.values()]) fail(toError(method))
    },
  }
}

/** The frame, or what in the request has no place in one. */
function encoded(encode: () => Frame): Frame | ChainError {
  try {
    return encode()
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
}
