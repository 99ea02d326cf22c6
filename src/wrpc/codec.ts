import type { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcEncoding } from '../model/network.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import type { WireError } from './wire-error.js'

/** One WebSocket message: text in JSON, bytes in Borsh. */
export type Frame = string | Uint8Array<ArrayBuffer>

/**
 * The node's wire protocol in one encoding, both directions. Pure: frames in, records out.
 * What is written is what a node of 2.x writes and reads; what is read may come from any node since 0.15.
 */
export interface WireCodec {
  readonly encoding: RpcEncoding

  encodeRequest<M extends RpcMethod>(id: bigint, method: M, request: RpcRequest<M>): Frame
  encodeResponse<M extends RpcMethod>(id: bigint, method: M, response: RpcResponse<M>): Frame
  /** `method`: as the request named it, also where it is none that is served; undefined where that is not known. */
  encodeError(id: bigint, method: string | undefined, error: WireError): Frame
  encodeNotification(notification: NodeNotification): Frame

  /** Reads what a client sent. Never throws. */
  decodeRequest(frame: Frame): DecodedRequest
  /**
   * Reads what a node sent. Never throws. A node may leave out which method it answers: `methodOf` tells what was asked
   * under an id, and has the last word.
   */
  decodeMessage(frame: Frame, methodOf?: (id: bigint) => RpcMethod | undefined): DecodedMessage
}

/** What a client's frame was, as far as a server must know it to answer as a node does. */
export type DecodedRequest =
  | RequestOf<RpcMethod>
  /** An operation that the protocol knows and no node serves over wRPC: answered with `not-found`. */
  | { readonly kind: 'unserved'; readonly id: bigint; readonly method: string }
  /** The method is known, its body cannot be read: answered with `unreadable-request`. */
  | { readonly kind: 'unreadable'; readonly id: bigint; readonly method: RpcMethod; readonly reason: string }
  /** Without an id: a node neither executes nor answers it. */
  | { readonly kind: 'ignored' }
  /** The envelope cannot be read, or names no known method: a node drops the connection. */
  | { readonly kind: 'fatal'; readonly reason: string }

/** A readable request, method and body joined, so that a `switch` on `method` narrows `request`. */
export type RequestOf<M extends RpcMethod> = {
  [K in M]: { readonly kind: 'request'; readonly id: bigint; readonly method: K; readonly request: RpcRequest<K> }
}[M]

/** What a node's frame was. */
export type DecodedMessage =
  | ResponseOf<RpcMethod>
  | { readonly kind: 'error'; readonly id: bigint; readonly error: WireError }
  | { readonly kind: 'notification'; readonly notification: NodeNotification }
  /** It cannot be read. With an id, it was the answer to that call; `error` has code `malformed`. */
  | { readonly kind: 'malformed'; readonly id: bigint | undefined; readonly error: ChainRpcError }

export type ResponseOf<M extends RpcMethod> = {
  [K in M]: { readonly kind: 'response'; readonly id: bigint; readonly method: K; readonly response: RpcResponse<K> }
}[M]
