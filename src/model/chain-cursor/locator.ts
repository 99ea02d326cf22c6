/** A chain block that was followed. */
export interface LocatorEntry {
  readonly hash: string
  readonly blueScore: bigint
}

/** The newest followed chain block, with what decides which of two chains is heavier. */
export interface ChainTip extends LocatorEntry {
  /** Hex. */
  readonly blueWork: string
}

/** A position on the virtual chain that can be found again after a reorg: the newest blocks, and some older ones. */
export interface ChainLocator {
  readonly tip: ChainTip
  /** The blocks below the tip, newest first. */
  readonly below: readonly LocatorEntry[]
}

/** The newest blocks, tip included, are all part of a locator: most reorgs end there. */
const NEWEST = 16

/** Older blocks are dropped, in blue score below the tip: nodes prune them (the pruning depth is 1,080,000). */
const HORIZON = 2 ** 21

/** The locator of a chain that is followed from one block. */
export const locatorAt = (tip: ChainTip): ChainLocator => ({ tip, below: [] })

/** The locator after further chain blocks, oldest first; `blueWork` is that of the last one. */
export function extendLocator(
  { tip, below }: ChainLocator,
  blocks: readonly LocatorEntry[],
  blueWork: string,
): ChainLocator {
  const newest = blocks.at(-1)
  if (newest === undefined) return { tip, below }
  const added = blocks.slice(0, -1).map(toEntry).reverse()
  return {
    tip: { ...toEntry(newest), blueWork },
    below: thin(newest.blueScore, [...added, toEntry(tip), ...below]),
  }
}

/** The locator after a rollback to `tip`, a block on the followed chain or below it. */
export const rollBackLocator = ({ below }: ChainLocator, tip: ChainTip): ChainLocator => ({
  tip,
  below: below.filter(({ blueScore }) => blueScore < tip.blueScore),
})

/** All blocks of a locator, newest first. */
export const entriesOf = ({ tip, below }: ChainLocator): readonly LocatorEntry[] => [toEntry(tip), ...below]

/**
 * Whether a tip is preferred to another one by the nodes: by blue work, then by hash as hex text. Siblings of equal
 * work replace each other.
 */
export function isHeavier(a: ChainTip, b: ChainTip): boolean {
  const workOfA = a.blueWork.padStart(b.blueWork.length, '0')
  const workOfB = b.blueWork.padStart(a.blueWork.length, '0')
  return workOfA === workOfB ? a.hash > b.hash : workOfA > workOfB // hex of one length compares as text
}

/** The newest blocks, then at most two of each doubling of the distance below the tip: the newest and the oldest. */
function thin(tipScore: bigint, entries: readonly LocatorEntry[]): readonly LocatorEntry[] {
  const distances = entries.map(({ blueScore }) => Number(tipScore - blueScore))
  const doublings = distances.map((distance) => Math.floor(Math.log2(distance)))
  return entries.filter((_, at) => {
    if (at < NEWEST - 1) return true
    const isInside = doublings[at - 1] === doublings[at] && doublings[at + 1] === doublings[at]
    return (distances[at] ?? 0) <= HORIZON && !isInside
  })
}

const toEntry = ({ hash, blueScore }: LocatorEntry): LocatorEntry => ({ hash, blueScore })
