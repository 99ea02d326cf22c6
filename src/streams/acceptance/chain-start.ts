import { isRemoved } from './removed-blocks.js'
import {
  acceptedChanges,
  pruned,
  isContentUnknown,
  reconcile,
  keepNewest,
  type Chain,
  type ChainBlock,
  type ChainOutcome,
  type ChainStep,
} from './chain.js'
import type { Acceptance, ChainUpdate } from './phases.js'

/**
 * The chain after a step that adds its first block, whose content was unknown: the step was sent before the `getSink`
 * response but received after it. Null for any other step.
 */
export function toStartOutcome(chain: Chain, { added }: ChainStep): ChainOutcome | null {
  const at = added.findIndex(({ hash }) => hash === chain[0]?.hash)
  if (at < 0 || chain[0] === undefined || !isContentUnknown(chain[0])) return null
  const backfilled = added.slice(0, at + 1)
  const whole = [...backfilled, ...chain.slice(1)]
  return {
    chain: keepNewest(whole),
    left: pruned(whole),
    joined: backfilled,
    changes: backfilled.flatMap(acceptedChanges),
    depth: 'within-limit',
  }
}

/**
 * A notified block that the chain does not contain although it was fetched since: it lies before the first block, or on
 * a removed branch. Undefined if there is none, or if the chain already continues earlier changes.
 */
export function findOffChain(
  { chain, removedBlocks, misplaced, priorChanges }: Acceptance,
  updates: readonly ChainUpdate[],
): ChainBlock | undefined {
  if (priorChanges === 'emitted') return undefined
  const known = new Set(chain.map(({ hash }) => hash))
  const isOffChain = ({ hash }: ChainBlock): boolean => !known.has(hash) && !isRemoved(removedBlocks, hash)
  return [...updates.flatMap((update) => (update === 'dropped' ? [] : update.added)), ...misplaced].find(isOffChain)
}

/** The chain with `block` before its first block; `after` is what the node reports to follow `block`. */
export function prependBlock(chain: Chain, block: ChainBlock, after: ChainStep): ChainOutcome {
  const outcome = reconcile([block, ...chain], block.hash, after)
  return { ...outcome, changes: [...acceptedChanges(block), ...outcome.changes] }
}
