import type { RpcHeader } from '../../../node/messages/records.js'
import { MAX_BLOCK_LEVEL } from '../params.js'
import type { Dag } from './dag.js'

/**
 * The parents in a header: the direct parents on level 0, and on each higher level the nearest past blocks of at least
 * that level. Half of the blocks of a level reach the next. Levels with genesis only are omitted.
 *
 * On a real network the level of a block follows from its proof of work, here from its hash.
 */
export function parentsByLevel(dag: Dag, parents: readonly string[]): readonly (readonly string[])[] {
  const levels: (readonly string[])[] = [parents]
  for (let level = 1; level <= MAX_BLOCK_LEVEL; level++) {
    const above = parentsOnLevel(dag, parents, level)
    if (above.length === 1 && above[0] === dag.genesis) break
    levels.push(above)
  }
  return levels
}

/** Whether a header has the expected parents on every level, in any order. */
export function hasExpectedParents(dag: Dag, { parentsByLevel: actual }: Pick<RpcHeader, 'parentsByLevel'>): boolean {
  const expected = parentsByLevel(dag, actual[0] ?? [])
  return (
    expected.length === actual.length &&
    expected.every(
      (level, index) => level.length === actual[index]?.length && level.every((hash) => actual[index]?.includes(hash)),
    )
  )
}

/** Parents of at least that level, and for lower ones their own parents on it; none is an ancestor of another. */
function parentsOnLevel(dag: Dag, parents: readonly string[], level: number): readonly string[] {
  const highParents = parents.filter((parent) => levelOf(dag, parent) >= level)
  const [first = '', ...others] = parents
  const initial = highParents.length > 0 ? highParents : parentsOfBlock(dag, first, level)
  const lowParents = (highParents.length > 0 ? parents : others).filter((parent) => !highParents.includes(parent))
  const candidates = new Set(lowParents.flatMap((parent) => parentsOfBlock(dag, parent, level)))
  return [...candidates].reduce((chosen, candidate) => withCandidate(dag, chosen, candidate), initial)
}

/** Adds a candidate and removes its ancestors, unless it is an ancestor itself. */
function withCandidate(dag: Dag, chosen: readonly string[], candidate: string): readonly string[] {
  if (dag.isInPastOfAny(candidate, chosen)) return chosen
  return [...chosen.filter((hash) => !dag.isInPast(hash, candidate)), candidate]
}

/** The parents of a block on a level; genesis if its header omits that level. */
function parentsOfBlock(dag: Dag, hash: string, level: number): readonly string[] {
  if (hash === dag.genesis) return []
  return dag.get(hash).header.parentsByLevel[level] ?? [dag.genesis]
}

/** Leading zero bits of every block at the maximum target; only further ones raise the level. */
const EASY_BITS = 256 - MAX_BLOCK_LEVEL

/** Leading zero bits of the hash beyond `EASY_BITS`. Genesis has the maximum level. */
function levelOf(dag: Dag, hash: string): number {
  if (hash === dag.genesis) return MAX_BLOCK_LEVEL
  const zeros = hash.search(/[^0]/)
  const digit = Number.parseInt(hash[zeros] ?? '0', 16)
  return Math.max(0, 4 * zeros + Math.clz32(digit) - 28 - EASY_BITS)
}
