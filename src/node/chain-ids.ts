import type { TransactionIds } from '../model/transaction-ids.js'
import type { RpcAcceptingBlock, RpcResponse } from './messages/records.js'

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
