import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { FollowedBatch } from '../chain/chain-batches.js'
import type { FollowedBlock, FollowedTransactions } from '../chain/page.js'
import type { AcceptanceChange, AcceptanceRollback } from './change.js'

/** A chain block and the transactions it accepted. */
export interface AcceptingBlock {
  readonly hash: string
  readonly accepted: TransactionIds
}

interface ScoredBlock extends AcceptingBlock {
  readonly blueScore: bigint
}

/** The newest followed part of the virtual chain, oldest first. */
export type RememberedChain = readonly ScoredBlock[]

/** How many chain blocks are remembered, so that what they accepted is emitted as reverted. */
export const MAX_CHAIN_BLOCKS = 1_000

/** What one batch changes. */
export interface AcceptanceBatch {
  /** Null if nothing is undone. */
  readonly rollback: AcceptanceRollback | null
  /** The remembered blocks that the rollback removes, newest first. */
  readonly removed: readonly AcceptingBlock[]
  /** In the order of the chain. */
  readonly added: readonly AcceptingBlock[]
}

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

/** The changes of a batch one by one: the rollback, what it reverts, newest first, then the accepted ones in order. */
export const toChanges = ({ rollback, removed, added }: AcceptanceBatch): AcceptanceChange[] => [
  ...(rollback === null ? [] : [rollback]),
  ...removed.flatMap((block) => changesOf('reverted', block).reverse()),
  ...added.flatMap((block) => changesOf('accepted', block)),
]

const changesOf = (type: 'accepted' | 'reverted', { hash, accepted }: AcceptingBlock): AcceptanceChange[] =>
  accepted.toStrings().map((transactionId) => ({ type, transactionId, acceptingBlockHash: hash }))
