import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { FollowedBatch } from '../chain/chain-batches.js'
import type { FollowedBlock, FollowedTransactions } from '../chain/page.js'
import type { AcceptanceBatch, AcceptingBlock } from './change.js'

interface ScoredBlock extends AcceptingBlock {
  readonly blueScore: bigint
}

/** The newest followed part of the virtual chain, oldest first. */
export type RememberedChain = readonly ScoredBlock[]

/** How many chain blocks are remembered, so that what they accepted is emitted as reverted. */
export const MAX_CHAIN_BLOCKS = 1_000

/**
 * The chain after a batch, and its changes. An empty chain begins with `start`, a block before the batch, of which
 * nothing is emitted.
 */
export function applyBatch(
  chain: RememberedChain,
  { rollback, blocks }: Pick<FollowedBatch, 'rollback' | 'blocks'>,
  start?: LocatorEntry,
): { readonly chain: RememberedChain; readonly changes: AcceptanceBatch } {
  const stays = ({ blueScore }: ScoredBlock): boolean => rollback === null || blueScore <= rollback.blueScore
  const added = blocks.map(toAcceptingBlock)
  const kept = chain.filter(stays)
  const first = start === undefined ? [] : [{ ...start, accepted: NONE }]
  return {
    chain: [...(kept.length > 0 ? kept : first), ...added].slice(-MAX_CHAIN_BLOCKS),
    changes: {
      rollback: rollback && { type: 'rollback', hash: rollback.hash, blueScore: rollback.blueScore },
      removed: chain.filter((block) => !stays(block)).reverse(),
      added,
    },
  }
}

const NONE: TransactionIds = /*#__PURE__*/ new TransactionIds(new Uint8Array())

const toAcceptingBlock = ({ hash, blueScore, transactions }: FollowedBlock<FollowedTransactions>): ScoredBlock => ({
  hash,
  blueScore,
  accepted:
    transactions instanceof TransactionIds ? transactions : new TransactionIds(transactions.map(({ id }) => id)),
})
