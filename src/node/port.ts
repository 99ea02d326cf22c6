import type { Observable } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse, RpcAcceptingBlock } from './messages/records.js'
import type { RpcEncoding } from '../model/network.js'
import type { UtxoColumns } from '../model/utxo-columns/columns.js'
import type { TransactionIds } from '../model/transaction-ids.js'
import { ChainError } from '../errors/chain-error.js'

/** A node's URL and the encoding of its port. */
export interface Endpoint {
  readonly url: string
  readonly encoding: RpcEncoding
}

/** Why a socket closed. `code` is the WebSocket close code (a real node's is always 1006). */
export interface ClosedReason {
  readonly code?: number | undefined
  readonly reason: string
  readonly cause?: unknown
}

/** One open socket to a node. It is not reused after it closes. */
export interface NodeConnection {
  readonly endpoint: Endpoint
  /**
   * Sends one request. Cold: each subscription sends the request, emits the response and completes. Errors with
   * `ChainRpcError`: the node's error (`remote`), no response within `timeout` ms, or a lost one, see
   * `deadlines.ts` of `wrpc` (`timeout`), a response that cannot be decoded (`malformed`), a closed socket
   * (`connection-lost`). Unsubscribing discards the response.
   */
  call<M extends RpcMethod>(
    method: M,
    request: RpcRequest<M>,
    options?: { readonly timeout?: number | undefined },
  ): Observable<RpcResponse<M>>
  /**
   * The response to `getUtxosByAddresses` as columns, without a record for each entry: as `call` otherwise. Absent in a
   * port that decodes only records.
   */
  utxoColumns?(
    addresses: readonly string[],
    options?: { readonly timeout?: number | undefined },
  ): Observable<UtxoColumns>
  /**
   * The response to `getVirtualChainFromBlockV2` with the ids of the accepted transactions only: as `call` otherwise.
   * Absent in a port that decodes only records.
   * @internal
   */
  chainIds?(
    request: RpcRequest<'getVirtualChainFromBlockV2'>,
    options?: { readonly timeout?: number | undefined },
  ): Observable<ChainIds>
  /**
   * The response to `getVirtualChainFromBlockV2`, whose blocks are decoded one by one: as `call` otherwise. Absent in a
   * port that decodes whole records.
   * @internal
   */
  chainBlocks?(
    request: RpcRequest<'getVirtualChainFromBlockV2'>,
    options?: { readonly timeout?: number | undefined },
  ): Observable<ChainBlocks>
  /** Hot. Every notification once, in order of arrival; completes when the socket closes. */
  readonly notifications$: Observable<NodeNotification>
  /**
   * Hot. The error (`malformed`) of each message that could not be decoded and belongs to no call: a notification is
   * missing. The error's `method` is its name, where that could be decoded. Completes when the socket closes.
   */
  readonly malformed$?: Observable<ChainRpcError>
  /** Emits once when the socket is closed by either side, then completes. Replays. */
  readonly closed$: Observable<ClosedReason>
  /** Closes the socket. Idempotent. */
  close(): void
}

/** Opens connections to nodes. */
export interface NodePort {
  /**
   * Opens one socket. Cold: each subscription opens its own, emits it once it is open, and completes.
   * Errors with `ChainRpcError('connect', cause)` if it cannot be opened. Unsubscribing before it is open closes it;
   * afterwards it stays open and belongs to the subscriber.
   */
  dial(endpoint: Endpoint): Observable<NodeConnection>
}

/** The response to `getVirtualChainFromBlockV2` with the ids of the accepted transactions, and nothing else of them. */
export interface ChainIds extends Omit<RpcResponse<'getVirtualChainFromBlockV2'>, 'chainBlockAcceptedTransactions'> {
  /** Parallel to `addedChainBlockHashes`. */
  readonly blocks: readonly AcceptedIds[]
}

/**
 * The response to `getVirtualChainFromBlockV2` with blocks that are decoded while they are iterated, so that a page is
 * never held as a whole: once, and in the task that delivers it, because the bytes of the message are not copied. The
 * iteration throws `ChainRpcError` (`malformed`) at a block that cannot be decoded.
 */
export interface ChainBlocks extends Omit<RpcResponse<'getVirtualChainFromBlockV2'>, 'chainBlockAcceptedTransactions'> {
  /** Parallel to `addedChainBlockHashes`. */
  readonly blocks: Iterable<RpcAcceptingBlock>
}

/** A chain block and the ids of what it accepted, in the node's order. */
export interface AcceptedIds {
  readonly header: RpcAcceptingBlock['chainBlockHeader']
  readonly transactionIds: TransactionIds
}

/** The error of a response that contradicts itself or the request. */
export const malformed = (method: RpcMethod, fault: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response is inconsistent: ${fault}`), { code: 'malformed' })
