import type { ChainProblem } from './problem.js'

/**
 * How much of each accepted transaction is read: its id, everything in `ChainTransaction`, or everything in
 * `ChainContractTransaction`.
 */
export type ChainDetail = 'ids' | 'full' | 'contracts'

/** Where a chain is followed from, and how. */
export interface FollowChainOptions {
  /** Continue after the batch that carried this cursor. Not together with `from`. */
  readonly cursor?: string | undefined
  /**
   * Start after the newest block, after the node's pruning point (the oldest one it can serve), or after the chain
   * block with this hash. Not together with `cursor`.
   * @default 'sink'
   */
  readonly from?: 'sink' | 'pruning-point' | (string & {}) | undefined
  /**
   * Hold a block back until it is this deep below the sink, in blue score. Ten blocks are about one second, and with 0
   * rollbacks of one block are normal: use 100 to credit money.
   * @default 0
   */
  readonly minConfirmations?: number | undefined
  /** Blocks of a batch, at most. @default 100 */
  readonly maxBlocks?: number | undefined
  /** All but `ids` need a node of 1.1 or later (`unsupported` on older ones). @default 'full' */
  readonly detail?: ChainDetail | undefined
  /**
   * What happens where no known block is on the node's chain and the node is not behind: reject with `history-gap`, or
   * continue at the oldest block the node can serve, with a rollback to it.
   * @default 'reject'
   */
  readonly onGap?: 'reject' | 'continue' | undefined
  /**
   * How long, in ms, a connected node may be behind the cursor, or refuse its requests, before `next()` rejects with
   * `ChainRpcError('followChain')` of code `node-behind`.
   * @default 600_000
   */
  readonly nodeBehindTimeout?: number | undefined
  /**
   * What happens where the node stays behind the cursor and no two endpoints of different hosts deny its newest block:
   * wait for it, or go on at the newest block of the cursor that the synced node has, with a rollback to it.
   * @default 'wait'
   */
  readonly onBehind?: 'wait' | 'rewind' | undefined
  /**
   * How many endpoints of different hosts must have a block, with the same transactions, before it is delivered. 2
   * needs two `urls` of different hosts; while one of two cannot be reached, nothing is delivered.
   * @default 1
   */
  readonly agree?: 1 | 2 | undefined
  /**
   * With `cursor`, rolls back to a block of the node's chain before it continues: its hash, or the newest block up to a
   * blue score as decimal text; an older block where the cursor left the node's chain below it. The first batch carries
   * the rollback. Rejects with `ChainError` (`invalid-argument`) for a block that the node does not have, and for one
   * above the cursor.
   */
  readonly rewindTo?: string | undefined
  /**
   * Receives why the iteration stands still, or went back without a reorg. The next batch says that it goes on, and has
   * no blocks where there are no new ones.
   */
  readonly onProblem?: ((problem: ChainProblem) => void) | undefined
  /** Ends the iteration: a pending `next()` rejects with `ChainError` of code `aborted`, and everything is released. */
  readonly signal?: AbortSignal | undefined
}
