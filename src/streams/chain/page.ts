import type { TransactionIds } from '../../model/transaction-ids.js'
import type { ChainBlock, ChainTransaction } from './batch.js'
import type { ChainHeader } from './header.js'

/** What is read of a block's transactions, by the requested detail. */
export type FollowedTransactions = readonly ChainTransaction[] | TransactionIds

/** A chain block as it is followed. */
export interface FollowedBlock<Transactions> extends Omit<ChainBlock, 'transactions'> {
  readonly transactions: Transactions
}

/** A chain block with the blue work that a position needs. */
export interface ScoredBlock<Transactions> extends FollowedBlock<Transactions> {
  /** Hex. */
  readonly blueWork: string
}

/** The node's chain after a block. */
export interface ChainSegment<Transactions> {
  /** The chain blocks that were removed, the start block first; empty if it is on the chain. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly blocks: readonly ScoredBlock<Transactions>[]
  /** Whether more blocks may follow that are deep enough. */
  readonly isCut: boolean
}

/** The continuation of a followed chain. */
export interface ChainPage<Transactions> extends Omit<ChainSegment<Transactions>, 'removed'> {
  /** The last block that stays; null if none was removed. */
  readonly fork: ChainHeader | null
  /** Whether the page ends at the tip of the node's chain, below the requested confirmations. */
  readonly isAtTip: boolean
}
