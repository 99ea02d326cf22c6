import type { AcceptanceChange } from './change.js'

/** A block of the virtual chain, and what it accepted: a coinbase at least. Nothing where that is not known. */
export interface ChainBlock {
  readonly hash: string
  readonly accepted: readonly string[]
}

/** The newest part of the virtual chain that is known, oldest first. */
export type Chain = readonly ChainBlock[]

/** What a node says has changed: what left the chain, old tip first, and what joined it, upwards. */
export interface ChainStep {
  readonly removed: readonly string[]
  readonly added: Chain
}

/** How many chain blocks are remembered, so that what they accepted can be taken back. */
export const MEMORY = 1_000

export interface ChainOutcome {
  readonly chain: Chain
  /** What was taken back, newest first; then what was accepted, in order. */
  readonly changes: readonly AcceptanceChange[]
  /** What is remembered no longer: it has left the chain, or lies too far back. */
  readonly left: Chain
  /** What has joined the chain, or is confirmed to stand in it. */
  readonly joined: Chain
  /** Whether blocks have left the chain of which it is not known what they accepted. */
  readonly depth: 'remembered' | 'forgotten'
}

/**
 * The chain after a step of whose place nobody is in doubt, `known` where it says nothing new, `doubtful` where it does not
 * fit what is known. A step names no parent; what it removes, or what of it is known already, tells where it belongs. Only
 * a mere addition tells nothing: it is taken to follow where `order` is proven, unless it brings a block that has left the chain.
 */
export function follow(
  chain: Chain,
  step: ChainStep,
  hasLeft: (hash: string) => boolean,
  order: 'proven' | 'unproven',
): ChainOutcome | 'known' | 'doubtful' {
  const known = onChain(chain, step)
  const fresh = step.added.filter(({ hash }) => !known.has(hash))
  if (step.removed.length > 0) {
    if (!step.removed.some((hash) => known.has(hash)) && fresh.length === 0) return 'known'
    return isTail(chain, step.removed) && fresh.length === step.added.length ? replaceTail(chain, step) : 'doubtful'
  }
  if (fresh.length === 0) return 'known'
  if (fresh.some(({ hash }) => hasLeft(hash))) return 'doubtful'
  if (fresh.length === step.added.length && order === 'unproven' && chain.length > 0) return 'doubtful'
  const last = step.added[step.added.length - fresh.length - 1]
  if (last !== undefined && last.hash !== chain.at(-1)?.hash) return 'doubtful'
  return replaceTail(chain, { removed: [], added: fresh })
}

/**
 * The chain after the node has said how it goes on from `anchor`, a block that is remembered. What was recorded beyond the
 * anchor and is not confirmed was an error, or has left the chain.
 */
export function reconcile(chain: Chain, anchor: string, { removed, added }: ChainStep): ChainOutcome {
  const at = chain.findIndex(({ hash }) => hash === anchor)
  const gone = new Set(removed)
  const base = chain.slice(0, at + 1).filter(({ hash }) => !gone.has(hash))
  const told = chain.slice(at + 1).filter((block) => !isBlank(block))
  const recorded = new Map(told.map((block) => [block.hash, block]))
  const confirmed = new Set(added.map(({ hash }) => hash))
  const kept = new Set(base.map(({ hash }) => hash))
  const isLost = ({ hash }: ChainBlock): boolean => !kept.has(hash) && !confirmed.has(hash)
  const lost = chain.filter(isLost).reverse()
  const fresh = added.filter(({ hash }) => !recorded.has(hash))
  const whole = [...base, ...added.map((block) => recorded.get(block.hash) ?? block)]
  return {
    chain: remember(whole),
    left: [...forgotten(whole), ...chain.filter(isLost)],
    joined: added,
    changes: [...lost.flatMap(takenBack), ...fresh.flatMap(accepted)],
    depth: depthOf(chain, base, removed.length - (at + 1 - base.length)),
  }
}

/** What of a chain a step does not confirm. */
export function unconfirmed(chain: Chain, { added }: ChainStep): Chain {
  const confirmed = new Set(added.map(({ hash }) => hash))
  return chain.filter(({ hash }) => !confirmed.has(hash))
}

/** Which of the blocks that a step names are on the chain. A step is short, so the long chain is only looked through. */
function onChain(chain: Chain, { removed, added }: ChainStep): ReadonlySet<string> {
  const named = new Set([...removed, ...added.map(({ hash }) => hash)])
  return new Set(chain.filter(({ hash }) => named.has(hash)).map(({ hash }) => hash))
}

/** Whether `removed` is the end of the chain, tip first, as far as that is remembered. */
const isTail = (chain: Chain, removed: readonly string[]): boolean =>
  removed.every((hash, depth) => depth >= chain.length || chain.at(-1 - depth)?.hash === hash)

function replaceTail(chain: Chain, { removed, added }: ChainStep): ChainOutcome {
  const base = chain.slice(0, Math.max(0, chain.length - removed.length))
  const lost = chain.slice(base.length)
  const whole = [...base, ...added]
  return {
    chain: remember(whole),
    left: [...forgotten(whole), ...lost],
    joined: added,
    changes: [...lost.reverse().flatMap(takenBack), ...added.flatMap(accepted)],
    depth: depthOf(chain, base, removed.length - chain.length),
  }
}

/** How deep a step went that left `base` of the chain, and removed so many blocks `besides`. */
function depthOf(chain: Chain, base: Chain, besides: number): ChainOutcome['depth'] {
  const [first] = chain
  const isUnknownGone = first?.accepted.length === 0 && base.length === 0
  return besides > 0 || isUnknownGone ? 'forgotten' : 'remembered'
}

/** Whether nothing was said of a block: a listener began with it. Every block accepts a coinbase at least. */
export const isBlank = ({ accepted }: ChainBlock): boolean => accepted.length === 0

/** As much of a chain as is remembered. */
export const remember = (chain: Chain): Chain => (chain.length > MEMORY ? chain.slice(-MEMORY) : chain)

/** What lies further back than is remembered. */
export const forgotten = (chain: Chain): Chain => (chain.length > MEMORY ? chain.slice(0, -MEMORY) : [])

/** What a block accepted, to be told. */
export const accepted = ({ hash, accepted: ids }: ChainBlock): AcceptanceChange[] =>
  ids.map((transactionId) => ({ type: 'accepted', transactionId, acceptingBlockHash: hash }))

/** In the opposite order, as one takes back a stack. */
const takenBack = ({ hash, accepted: ids }: ChainBlock): AcceptanceChange[] =>
  ids.map((transactionId) => ({ type: 'reverted' as const, transactionId, acceptingBlockHash: hash })).reverse()
