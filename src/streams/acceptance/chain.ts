import type { AcceptanceChange } from './change.js'

/** A chain block and the transactions it accepted: at least a coinbase. Empty where they are unknown. */
export interface ChainBlock {
  readonly hash: string
  readonly accepted: readonly string[]
}

/** The newest known part of the virtual chain, oldest first. */
export type Chain = readonly ChainBlock[]

/** A change of the chain: removed blocks, old tip first, and added blocks, upwards. */
export interface ChainStep {
  readonly removed: readonly string[]
  readonly added: Chain
}

/** How many chain blocks are remembered, so that what they accepted can be reverted. */
export const MAX_CHAIN_BLOCKS = 1_000

export interface ChainOutcome {
  readonly chain: Chain
  /** Reverted transactions, newest first; then accepted ones, in order. */
  readonly changes: readonly AcceptanceChange[]
  /** Blocks no longer remembered: removed from the chain, or pruned. */
  readonly left: Chain
  /** Blocks added to the chain, or confirmed to be in it. */
  readonly joined: Chain
  /** `beyond-limit`: blocks were removed whose accepted transactions are unknown. */
  readonly depth: 'within-limit' | 'beyond-limit'
}

/**
 * The chain after a step; `known` where it contains nothing new, `ambiguous` where its position is uncertain. A step
 * names no parent: its position follows from the blocks it removes, or from those already known. A step that only adds
 * new blocks is applied where `order` is proven, unless it adds a block that has left the chain.
 */
export function applyStep(
  chain: Chain,
  step: ChainStep,
  hasLeft: (hash: string) => boolean,
  order: 'proven' | 'unproven',
): ChainOutcome | 'known' | 'ambiguous' {
  const known = blocksOnChain(chain, step)
  const fresh = step.added.filter(({ hash }) => !known.has(hash))
  if (step.removed.length > 0) {
    if (!step.removed.some((hash) => known.has(hash)) && fresh.length === 0) return 'known'
    return isTail(chain, step.removed) && fresh.length === step.added.length ? replaceTail(chain, step) : 'ambiguous'
  }
  if (fresh.length === 0) return 'known'
  if (fresh.some(({ hash }) => hasLeft(hash))) return 'ambiguous'
  if (fresh.length === step.added.length && order === 'unproven' && chain.length > 0) return 'ambiguous'
  const last = step.added[step.added.length - fresh.length - 1]
  if (last !== undefined && last.hash !== chain.at(-1)?.hash) return 'ambiguous'
  return replaceTail(chain, { removed: [], added: fresh })
}

/**
 * The chain after a response for the blocks following `anchor`, a remembered block. Recorded blocks after the anchor
 * that are not confirmed were recorded wrongly or have left the chain.
 */
export function reconcile(chain: Chain, anchor: string, { removed, added }: ChainStep): ChainOutcome {
  const at = chain.findIndex(({ hash }) => hash === anchor)
  const removedHashes = new Set(removed)
  const base = chain.slice(0, at + 1).filter(({ hash }) => !removedHashes.has(hash))
  const recordedBlocks = chain.slice(at + 1).filter((block) => !isContentUnknown(block))
  const recorded = new Map(recordedBlocks.map((block) => [block.hash, block]))
  const confirmed = new Set(added.map(({ hash }) => hash))
  const kept = new Set(base.map(({ hash }) => hash))
  const hasLeft = ({ hash }: ChainBlock): boolean => !kept.has(hash) && !confirmed.has(hash)
  const leftBlocks = chain.filter(hasLeft).reverse()
  const fresh = added.filter(({ hash }) => !recorded.has(hash))
  const whole = [...base, ...added.map((block) => recorded.get(block.hash) ?? block)]
  return {
    chain: keepNewest(whole),
    left: [...pruned(whole), ...chain.filter(hasLeft)],
    joined: added,
    changes: [...leftBlocks.flatMap(revertedChanges), ...fresh.flatMap(acceptedChanges)],
    depth: depthOf(chain, base, removed.length - (at + 1 - base.length)),
  }
}

/** The blocks of a chain that a step does not confirm. */
export function unconfirmed(chain: Chain, { added }: ChainStep): Chain {
  const confirmed = new Set(added.map(({ hash }) => hash))
  return chain.filter(({ hash }) => !confirmed.has(hash))
}

/** The blocks of a step that are on the chain. */
function blocksOnChain(chain: Chain, { removed, added }: ChainStep): ReadonlySet<string> {
  const named = new Set([...removed, ...added.map(({ hash }) => hash)])
  return new Set(chain.filter(({ hash }) => named.has(hash)).map(({ hash }) => hash))
}

/** Whether `removed` is the end of the chain, tip first, as far as remembered. */
const isTail = (chain: Chain, removed: readonly string[]): boolean =>
  removed.every((hash, depth) => depth >= chain.length || chain.at(-1 - depth)?.hash === hash)

function replaceTail(chain: Chain, { removed, added }: ChainStep): ChainOutcome {
  const base = chain.slice(0, Math.max(0, chain.length - removed.length))
  const leftBlocks = chain.slice(base.length)
  const whole = [...base, ...added]
  return {
    chain: keepNewest(whole),
    left: [...pruned(whole), ...leftBlocks],
    joined: added,
    changes: [...leftBlocks.reverse().flatMap(revertedChanges), ...added.flatMap(acceptedChanges)],
    depth: depthOf(chain, base, removed.length - chain.length),
  }
}

/** How deep a step went that left `base` of the chain and removed `others` unknown blocks. */
function depthOf(chain: Chain, base: Chain, others: number): ChainOutcome['depth'] {
  const [first] = chain
  const isUnknownRemoved = first?.accepted.length === 0 && base.length === 0
  return others > 0 || isUnknownRemoved ? 'beyond-limit' : 'within-limit'
}

/**
 * Whether the accepted transactions of a block are unknown, as for a start block. Every block accepts at least a
 * coinbase.
 */
export const isContentUnknown = ({ accepted }: ChainBlock): boolean => accepted.length === 0

/** The part of a chain that is remembered. */
export const keepNewest = (chain: Chain): Chain =>
  chain.length > MAX_CHAIN_BLOCKS ? chain.slice(-MAX_CHAIN_BLOCKS) : chain

/** The part of a chain beyond the limit. */
export const pruned = (chain: Chain): Chain =>
  chain.length > MAX_CHAIN_BLOCKS ? chain.slice(0, -MAX_CHAIN_BLOCKS) : []

export const acceptedChanges = ({ hash, accepted: ids }: ChainBlock): AcceptanceChange[] =>
  ids.map((transactionId) => ({ type: 'accepted', transactionId, acceptingBlockHash: hash }))

/** In reverse order of acceptance. */
const revertedChanges = ({ hash, accepted: ids }: ChainBlock): AcceptanceChange[] =>
  ids.map((transactionId) => ({ type: 'reverted' as const, transactionId, acceptingBlockHash: hash })).reverse()
