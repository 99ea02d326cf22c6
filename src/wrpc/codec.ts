import type { ChainRpcError } from '../errors/rpc-error.js'
import type { Steps } from '../loading/steps.js'
import type { RpcEncoding } from '../model/network.js'
import type { UtxoColumns } from '../model/utxo-columns/columns.js'
import type { ChainBlocks, ChainIds } from '../node/port.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import type { WireError } from './wire-errors.js'

/** One WebSocket message: text in JSON, bytes in Borsh. */
export type Frame = string | Uint8Array<ArrayBuffer>

/**
 * The node's wire protocol in one encoding, both directions: what devnode speaks. Pure: frames in, records out.
 * Encodes as a node of 2.x does; decodes messages of every node since 0.15.
 */
export interface WireCodec extends ClientCodec<Frame> {
  encodeResponse<M extends RpcMethod>(id: bigint, method: M, response: RpcResponse<M>): Frame
  /** `method`: as named in the request, served or not; undefined if unknown. */
  encodeError(id: bigint, method: string | undefined, error: WireError): Frame
  encodeNotification(notification: NodeNotification): Frame

  /** Decodes a client's frame. Never throws. */
  decodeRequest(frame: Frame): DecodedRequest
}

/** The half of a codec that a client needs; `Message` is what its connection carries. */
export interface ClientCodec<Message> {
  readonly encoding: RpcEncoding
  /** `format`: what the response is decoded into, where the other side has to know. */
  encodeRequest<M extends RpcMethod>(id: bigint, method: M, request: RpcRequest<M>, format?: ResponseFormat): Message
  /**
   * Decodes a node's frame. Never throws. A reply may omit its method: `methodOf` returns the method of a request id,
   * and takes precedence over the frame. `formatOf` returns what the response to a request is decoded into.
   */
  decodeMessage(
    frame: Message,
    methodOf?: (id: bigint) => RpcMethod | undefined,
    formatOf?: (id: bigint) => ResponseFormat,
  ): DecodedMessage
}

/**
 * What a response is decoded into: the record of its method; UTXOs as `columns`; the `ids` that a chain accepted, or
 * its `blocks` one by one, both in Borsh, where JSON decodes the record.
 */
export type ResponseFormat = 'record' | 'columns' | 'ids' | 'blocks'

/** A decoded client frame, with what a server needs to reply as a node does. */
export type DecodedRequest =
  | RequestOf<RpcMethod>
  /** An operation of the protocol that no node serves over wRPC: the reply is `not-found`. */
  | { readonly kind: 'unserved'; readonly id: bigint; readonly method: string }
  /** A known method with an undecodable body: the reply is `unreadable-request`. */
  | { readonly kind: 'unreadable'; readonly id: bigint; readonly method: RpcMethod; readonly reason: string }
  /** Without an id: a node ignores the request. */
  | { readonly kind: 'ignored' }
  /** An undecodable envelope or an unknown method: a node drops the connection. */
  | { readonly kind: 'fatal'; readonly reason: string }

/** A decoded request; a `switch` on `method` narrows `request`. */
export type RequestOf<M extends RpcMethod> = {
  [K in M]: { readonly kind: 'request'; readonly id: bigint; readonly method: K; readonly request: RpcRequest<K> }
}[M]

/** A decoded node frame. */
export type DecodedMessage =
  | ResponseOf<RpcMethod>
  /** UTXOs as columns. The steps throw `MalformedFrame`; those after the first run after the frame was handled. */
  | { readonly kind: 'columns'; readonly id: bigint; readonly columns: Steps<UtxoColumns> }
  | { readonly kind: 'ids'; readonly id: bigint; readonly page: ChainIds }
  /** The iteration of the blocks throws `MalformedFrame`. */
  | { readonly kind: 'blocks'; readonly id: bigint; readonly page: ChainBlocks }
  | { readonly kind: 'error'; readonly id: bigint; readonly error: WireError }
  | { readonly kind: 'notification'; readonly notification: NodeNotification }
  /** Undecodable. With an id, it is the reply to that call; `error` has code `malformed`. */
  | { readonly kind: 'malformed'; readonly id: bigint | undefined; readonly error: ChainRpcError }

export type ResponseOf<M extends RpcMethod> = {
  [K in M]: { readonly kind: 'response'; readonly id: bigint; readonly method: K; readonly response: RpcResponse<K> }
}[M]
