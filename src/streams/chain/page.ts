import type { ChainBlock, ChainTransaction, ChainTransactionId } from './batch.js'
import type { ChainHeader } from './header.js'

/** What a batch holds of a transaction, by the requested detail. */
export type FollowedTransaction = ChainTransaction | ChainTransactionId

/** A chain block with the blue work that a position needs. */
export interface ScoredBlock<Transaction> extends ChainBlock<Transaction> {
  /** Hex. */
  readonly blueWork: string
}

/** The node's chain after a block. */
export interface ChainSegment<Transaction> {
  /** The chain blocks that were removed, the start block first; empty if it is on the chain. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly blocks: readonly ScoredBlock<Transaction>[]
  /** Whether more blocks may follow that are deep enough. */
  readonly isCut: boolean
}

/** The continuation of a followed chain. */
export interface ChainPage<Transaction> extends Omit<ChainSegment<Transaction>, 'removed'> {
  /** The last block that stays; null if none was removed. */
  readonly fork: ChainHeader | null
  /** Whether the page ends at the tip of the node's chain, below the requested confirmations. */
  readonly isAtTip: boolean
}
