import { Observable, firstValueFrom, merge } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'

export interface CallOptions {
  /** Rejects the promise with `ChainRpcError` (`aborted`). A request already sent is not revoked. */
  readonly signal?: AbortSignal | undefined
}

/** One call to the node. Rejects with `ChainRpcError`. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: CallOptions,
) => Promise<RpcResponse<M>>

/** Turns calls that return observables of one response into promises. */
export function toCall(
  call$: <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Observable<RpcResponse<M>>,
): Call {
  return (method, request, { signal } = {}) => {
    const response$ = call$(method, request)
    return firstValueFrom(signal === undefined ? response$ : merge(aborted$(method, signal), response$))
  }
}

/** Errors when `signal` aborts; never emits. */
function aborted$(method: string, signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const abort = (): void => subscriber.error(new ChainRpcError(method, signal.reason, { code: 'aborted' }))
    signal.addEventListener('abort', abort)
    subscriber.add(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
  })
}
