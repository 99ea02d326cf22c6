import { Observable, firstValueFrom, merge } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'

export interface CallOptions {
  /** Ends the wait: the promise rejects with `ChainRpcError` (`cancelled`). What was sent stays sent. */
  readonly signal?: AbortSignal | undefined
}

/** Asks the node once. Rejects with `ChainRpcError`. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: CallOptions,
) => Promise<RpcResponse<M>>

/** A `Call` over streams of one answer each. */
export function toCall(
  ask: <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Observable<RpcResponse<M>>,
): Call {
  return (method, request, { signal } = {}) => {
    const answer$ = ask(method, request)
    return firstValueFrom(signal === undefined ? answer$ : merge(aborted$(method, signal), answer$))
  }
}

/** Errors when `signal` says so; never emits. */
function aborted$(method: string, signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const abort = (): void => subscriber.error(new ChainRpcError(method, signal.reason, { code: 'cancelled' }))
    signal.addEventListener('abort', abort)
    subscriber.add(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
  })
}
