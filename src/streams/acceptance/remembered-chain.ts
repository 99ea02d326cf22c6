import type { ChainBatch, ChainBlock, ChainTransactionId } from '../chain/batch.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { AcceptanceChange } from './change.js'

/** A chain block and the transactions it accepted. */
export interface AcceptingBlock {
  readonly hash: string
  readonly accepted: readonly string[]
}

interface ScoredBlock extends AcceptingBlock {
  readonly blueScore: bigint
}

/** The newest followed part of the virtual chain, oldest first. */
export type RememberedChain = readonly ScoredBlock[]

/** How many chain blocks are remembered, so that what they accepted is emitted as reverted. */
export const MAX_CHAIN_BLOCKS = 1_000

type IdBatch = Pick<ChainBatch<ChainBlock<ChainTransactionId>>, 'rollback' | 'blocks'>

/**
 * The chain after a batch, and its changes: the rollback, the remembered transactions that it reverts, newest first, then
 * the accepted ones in order. An empty chain begins with `start`, a block before the batch, of which nothing is emitted.
 */
export function applyBatch(
  chain: RememberedChain,
  { rollback, blocks }: IdBatch,
  start?: LocatorEntry,
): { readonly chain: RememberedChain; readonly changes: readonly AcceptanceChange[] } {
  const stays = ({ blueScore }: ScoredBlock): boolean => rollback === null || blueScore <= rollback.blueScore
  const added = blocks.map(toAcceptingBlock)
  const kept = chain.filter(stays)
  const first = start === undefined ? [] : [{ ...start, accepted: [] }]
  const removed = chain.filter((block) => !stays(block)).reverse()
  const undone: AcceptanceChange[] =
    rollback === null ? [] : [{ type: 'rollback', hash: rollback.hash, blueScore: rollback.blueScore }]
  return {
    chain: [...(kept.length > 0 ? kept : first), ...added].slice(-MAX_CHAIN_BLOCKS),
    changes: [...undone, ...removed.flatMap(revertedChanges), ...added.flatMap(acceptedChanges)],
  }
}

const toAcceptingBlock = ({ hash, blueScore, transactions }: ChainBlock<ChainTransactionId>): ScoredBlock => ({
  hash,
  blueScore,
  accepted: transactions.map(({ id }) => id),
})

const acceptedChanges = ({ hash, accepted }: AcceptingBlock): AcceptanceChange[] =>
  accepted.map((transactionId) => ({ type: 'accepted', transactionId, acceptingBlockHash: hash }))

/** In reverse order of acceptance. */
const revertedChanges = ({ hash, accepted }: AcceptingBlock): AcceptanceChange[] =>
  accepted.map((transactionId) => ({ type: 'reverted' as const, transactionId, acceptingBlockHash: hash })).reverse()
