import type { ChainBatch, ChainBlock, ChainTransactionId } from './batch.js'
import type { FollowChainOptions } from './options.js'

/** Batches of the virtual chain, pulled one by one. `return()` and `signal` release everything at once. */
export type ChainBatches<Block = ChainBlock> = AsyncIterableIterator<ChainBatch<Block>>

/**
 * Follows the virtual chain in batches, across reconnects, node switches and restarts of the process: each block once,
 * after a rollback of what a reorg removed. The next page is requested when the consumer calls `next()`, and at
 * most one is held. `next()` waits while there is no connection and while there is nothing new. It rejects with
 * `ChainError`: `invalid-argument` (nothing is sent), `history-gap`, `aborted`, `disposed`; with `ChainRpcError`:
 * `node-behind`, `unsupported`, and the error of the connection in its state `error`.
 */
export interface FollowChain {
  (options: FollowChainOptions & { readonly detail: 'ids' }): ChainBatches<ChainBlock<ChainTransactionId>>
  (options?: FollowChainOptions): ChainBatches
}
