import type { TransactionIds } from '../model/transaction-ids.js'
import type { RpcAcceptingBlock, RpcResponse } from './messages/records.js'

/** The response to `getVirtualChainFromBlockV2` with the ids of the accepted transactions, and nothing else of them. */
export interface ChainIds extends Omit<RpcResponse<'getVirtualChainFromBlockV2'>, 'chainBlockAcceptedTransactions'> {
  /** Parallel to `addedChainBlockHashes`. */
  readonly blocks: readonly AcceptedIds[]
}

/** A chain block and the ids of what it accepted, in the node's order. */
export interface AcceptedIds {
  readonly header: RpcAcceptingBlock['chainBlockHeader']
  readonly transactionIds: TransactionIds
}
