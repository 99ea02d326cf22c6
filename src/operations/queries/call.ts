import { firstValueFrom, map, merge, type Observable } from 'rxjs'
import type { AbortOptions } from '../../errors/abort-options.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { abort$ } from '../../loading/abortable.js'
import type { SentIds } from '../../model/bounded-collections.js'
import type { ChainNetwork } from '../../model/network.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'

/** One call to the node. Rejects with `ChainRpcError`. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: AbortOptions,
) => Promise<RpcResponse<M>>

export interface QueryDeps {
  readonly call: Call
  /** What this engine has sent, by every path. */
  readonly sentIds: SentIds
  /** The current network. */
  readonly network: () => ChainNetwork
}

/** A node to call: as an observable of one response, and, where there is no signal to end it, as a promise. */
export interface CallableNode {
  readonly call: <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Observable<RpcResponse<M>>
  readonly request: <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Promise<RpcResponse<M>>
}

/** Calls with options. */
export const toCall =
  (node: CallableNode): Call =>
  (method, request, { signal } = {}) =>
    signal === undefined
      ? node.request(method, request)
      : firstValueFrom(
          merge(abort$(signal).pipe(map((reason) => throwAborted(method, reason))), node.call(method, request)),
        )

function throwAborted(method: string, reason: unknown): never {
  throw new ChainRpcError(method, reason, { code: 'aborted' })
}
