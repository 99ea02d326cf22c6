import { MAX_CHAIN_BLOCKS } from './chain.js'

/**
 * Blocks that have left the chain: the last `MAX_CHAIN_BLOCKS`, and some older ones. Kept in two sets to bound the cost
 * of a step: the small set is copied at each step, the large one only when the small one is full.
 */
export interface RemovedBlocks {
  readonly latest: ReadonlySet<string>
  readonly earlier: ReadonlySet<string>
}

/** The limit of the small set: at the square root of `MAX_CHAIN_BLOCKS`, both sets cost the same to copy. */
const MAX_LATEST = 32

export const NO_REMOVED_BLOCKS: RemovedBlocks = { latest: /*#__PURE__*/ new Set(), earlier: /*#__PURE__*/ new Set() }

export const isRemoved = ({ latest, earlier }: RemovedBlocks, hash: string): boolean =>
  latest.has(hash) || earlier.has(hash)

/** Adds blocks that left the chain and removes those that rejoined it. The same object where nothing changes. */
export function recordRemoved(
  blocks: RemovedBlocks,
  left: readonly string[],
  rejoined: readonly { readonly hash: string }[] = [],
): RemovedBlocks {
  const returning = rejoined.filter(({ hash }) => isRemoved(blocks, hash))
  if (left.length === 0 && returning.length === 0) return blocks
  const latest = new Set([...blocks.latest, ...left])
  for (const { hash } of rejoined) latest.delete(hash)
  const earlier = withoutBlocks(blocks.earlier, returning)
  return latest.size <= MAX_LATEST
    ? { latest, earlier }
    : { latest: new Set(), earlier: keepNewest(new Set([...earlier, ...latest])) }
}

/** A block rejoins only in a reorg, so copies are rare. */
function withoutBlocks(
  layer: ReadonlySet<string>,
  returning: readonly { readonly hash: string }[],
): ReadonlySet<string> {
  const found = returning.filter(({ hash }) => layer.has(hash))
  if (found.length === 0) return layer
  const remaining = new Set(layer)
  for (const { hash } of found) remaining.delete(hash)
  return remaining
}

const keepNewest = (layer: ReadonlySet<string>): ReadonlySet<string> =>
  layer.size <= MAX_CHAIN_BLOCKS ? layer : new Set([...layer].slice(-MAX_CHAIN_BLOCKS))
