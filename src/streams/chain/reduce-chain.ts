import type { TransactionIds } from '../../model/transaction-ids.js'
import type { ChainBlock, ChainTransaction, ChainRollback } from './batch.js'
import type { ChainHeader } from './header.js'
import { extendLocator, locatorAt, rollBackLocator, type ChainLocator } from '../../model/chain-cursor/locator.js'

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

/** A followed chain: the position after all batches so far, and what was read beyond it. */
export interface ChainState<Transactions> {
  readonly locator: ChainLocator
  /** A rollback to be emitted with the next batch. */
  readonly fork: ChainHeader | null
  /** Blocks of at most one page, oldest first. */
  readonly blocks: readonly ScoredBlock<Transactions>[]
  /** Whether the read blocks end at the tip. */
  readonly isAtTip: boolean
  /** What the last batch reported. */
  readonly isLive: boolean
}

/** A batch before its cursor is encoded. */
export interface ChainStep<Transactions> {
  readonly rollback: ChainRollback | null
  readonly blocks: readonly FollowedBlock<Transactions>[]
  readonly isLive: boolean
}

/** The state at a position from which nothing was read yet. */
export const chainStateAt = <Transactions>(locator: ChainLocator, isAtTip = false): ChainState<Transactions> => ({
  locator,
  fork: null,
  blocks: [],
  isAtTip,
  isLive: false,
})

/** The state after a page; all blocks before it were taken. */
export const addPage = <Transactions>(
  state: ChainState<Transactions>,
  { fork, blocks, isAtTip }: ChainPage<Transactions>,
): ChainState<Transactions> => ({ ...state, fork, blocks, isAtTip })

/** The state of a chain that continues at another block, after a rollback to it. */
export const continueAt = <Transactions>(fork: ChainHeader): ChainState<Transactions> => ({
  ...chainStateAt(locatorAt(fork)),
  fork,
})

/** The state after a rollback to a block of the followed chain; what was read beyond it is read again. */
export const rewindTo = <Transactions>(
  state: ChainState<Transactions>,
  fork: ChainHeader,
): ChainState<Transactions> => ({
  ...state,
  fork,
  blocks: [],
  isAtTip: false,
})

/** The state after a problem: a batch reports that the chain is followed again, also where there are no new blocks. */
export const asRecovered = <Transactions>(state: ChainState<Transactions>): ChainState<Transactions> => ({
  ...state,
  isLive: false,
})

/** Whether there is nothing to report. */
export const isEmptyState = (state: ChainState<unknown>): boolean =>
  state.fork === null && state.blocks.length === 0 && (state.isLive || !state.isAtTip)

/** Takes the next batch of at most `maxBlocks`; null where there is nothing to report. */
export function takeStep<Transactions>(
  state: ChainState<Transactions>,
  maxBlocks: number,
): { readonly step: ChainStep<Transactions>; readonly state: ChainState<Transactions> } | null {
  const { fork, blocks, isAtTip } = state
  const taken = blocks.slice(0, maxBlocks)
  const left = blocks.slice(maxBlocks)
  const isLive = isAtTip && left.length === 0
  if (isEmptyState(state)) return null
  const base = fork === null ? state.locator : rollBackLocator(state.locator, fork)
  const locator = extendLocator(base, taken, taken.at(-1)?.blueWork ?? '')
  return {
    step: { rollback: fork === null ? null : toRollback(fork), blocks: taken.map(toFollowedBlock), isLive },
    state: { locator, fork: null, blocks: left, isAtTip, isLive },
  }
}

const toRollback = ({ hash, blueScore, daaScore }: ChainHeader): ChainRollback => ({ hash, blueScore, daaScore })

const toFollowedBlock = <Transactions>({
  hash,
  blueScore,
  daaScore,
  timestamp,
  transactions,
}: ScoredBlock<Transactions>): FollowedBlock<Transactions> => ({ hash, blueScore, daaScore, timestamp, transactions })
