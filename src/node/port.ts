import type { Observable } from 'rxjs'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from './messages/records.js'
import type { RpcEncoding } from '../model/network.js'

/** Where a node is to be found, and how to speak to it. */
export interface Endpoint {
  readonly url: string
  readonly encoding: RpcEncoding
}

/** Why a socket is no more. `code` is the WebSocket close code (a real node's is always 1006). */
export interface ClosedReason {
  readonly code?: number | undefined
  readonly reason: string
  readonly cause?: unknown
}

/**
 * One open socket to a node. It is used until it closes and never again.
 */
export interface NodeConnection {
  readonly endpoint: Endpoint
  /**
   * Asks once. Cold: each subscription sends one request and gets one answer, then completion.
   * Errors with `ChainRpcError`: the node's refusal (`remote`), no answer within `timeout` ms (`timeout`), an answer that
   * cannot be read (`malformed`), the socket's end (`connection-lost`). Unsubscribing forgets the request.
   */
  call<M extends RpcMethod>(
    method: M,
    request: RpcRequest<M>,
    options?: { readonly timeout?: number | undefined },
  ): Observable<RpcResponse<M>>
  /** Hot. Every notification once, in the order of arrival; completes with the socket. */
  readonly notifications$: Observable<NodeNotification>
  /**
   * Hot. The error (`malformed`) of each message that could not be read and answered no call: a notification is missing,
   * its name is the error's `method` where that much could be read. Completes with the socket.
   */
  readonly malformed$?: Observable<ChainRpcError>
  /** Emits once when the socket has ended, whoever ended it, then completes; a late subscriber gets it too. */
  readonly closed$: Observable<ClosedReason>
  /** Ends the socket. Safe to call twice. */
  close(): void
}

/** A way to nodes. */
export interface NodePort {
  /**
   * Opens one socket. Cold: each subscription opens its own, emits it once when it stands, and completes.
   * Errors with `ChainRpcError('connect', cause)` where it cannot be opened. Unsubscribing before closes it unheard;
   * unsubscribing after leaves it to its receiver.
   */
  dial(endpoint: Endpoint): Observable<NodeConnection>
}
