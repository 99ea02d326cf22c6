import { MEMORY } from './chain.js'

/**
 * Blocks that have left the chain: the last `MEMORY` of them, and some that left before. In two layers, so that a step
 * costs what it buries: the latest are few, and copied at each step; all others only once the latest are no longer few.
 */
export interface Buried {
  readonly latest: ReadonlySet<string>
  readonly earlier: ReadonlySet<string>
}

/** How many are few: with the square root of `MEMORY`, either layer is copied as much as the other. */
const FEW = 32

export const NONE_BURIED: Buried = { latest: /*#__PURE__*/ new Set(), earlier: /*#__PURE__*/ new Set() }

export const isBuried = ({ latest, earlier }: Buried, hash: string): boolean => latest.has(hash) || earlier.has(hash)

/** Remembers blocks that have left the chain, and forgets those that have come back to it. The same where nothing changes. */
export function bury(buried: Buried, left: readonly string[], back: readonly { readonly hash: string }[] = []): Buried {
  const risen = back.filter(({ hash }) => isBuried(buried, hash))
  if (left.length === 0 && risen.length === 0) return buried
  const latest = new Set([...buried.latest, ...left])
  for (const { hash } of back) latest.delete(hash)
  const earlier = without(buried.earlier, risen)
  return latest.size <= FEW
    ? { latest, earlier }
    : { latest: new Set(), earlier: newest(new Set([...earlier, ...latest])) }
}

/** A block comes back in a reorg only: then its layer is copied. */
function without(layer: ReadonlySet<string>, risen: readonly { readonly hash: string }[]): ReadonlySet<string> {
  const found = risen.filter(({ hash }) => layer.has(hash))
  if (found.length === 0) return layer
  const rest = new Set(layer)
  for (const { hash } of found) rest.delete(hash)
  return rest
}

const newest = (layer: ReadonlySet<string>): ReadonlySet<string> =>
  layer.size <= MEMORY ? layer : new Set([...layer].slice(-MEMORY))
