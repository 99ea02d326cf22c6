import type { RpcHeader } from '../../../node/messages/records.js'
import { MAX_BLOCK_LEVEL } from '../params.js'
import type { Dag } from './dag.js'

/**
 * The parents that a header names: on level 0 those it builds on, on each higher level the nearest blocks in its past that
 * reach so high. Half as many blocks reach each next level, so that the highest lead far back in one step. Levels of which
 * only genesis is left are not written.
 *
 * On a real network a block's level follows from its proof of work. Here nobody works, and the block's hash stands in for it.
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

/** Whether a header names the right parents on every level, in whatever order. */
export function hasTrueParents(dag: Dag, { parentsByLevel: named }: Pick<RpcHeader, 'parentsByLevel'>): boolean {
  const expected = parentsByLevel(dag, named[0] ?? [])
  return (
    expected.length === named.length &&
    expected.every(
      (level, at) => level.length === named[at]?.length && level.every((hash) => named[at]?.includes(hash)),
    )
  )
}

/** Of the parents those that reach the level; for the others the blocks of that level beneath them, none an ancestor of another. */
function parentsOnLevel(dag: Dag, parents: readonly string[], level: number): readonly string[] {
  const reaching = parents.filter((parent) => levelOf(dag, parent) >= level)
  const [first = '', ...others] = parents
  const known = reaching.length > 0 ? reaching : beneath(dag, first, level)
  const shorter = (reaching.length > 0 ? parents : others).filter((parent) => !reaching.includes(parent))
  const candidates = new Set(shorter.flatMap((parent) => beneath(dag, parent, level)))
  return [...candidates].reduce((chosen, candidate) => withCandidate(dag, chosen, candidate), known)
}

/** A candidate takes the place of its ancestors; one that is an ancestor itself is left out. */
function withCandidate(dag: Dag, chosen: readonly string[], candidate: string): readonly string[] {
  if (dag.isInPastOfAny(candidate, chosen)) return chosen
  return [...chosen.filter((hash) => !dag.isInPast(hash, candidate)), candidate]
}

/** The parents that a block itself names on a level: genesis where it names none. */
function beneath(dag: Dag, hash: string, level: number): readonly string[] {
  if (hash === dag.genesis) return []
  return dag.get(hash).header.parentsByLevel[level] ?? [dag.genesis]
}

/** Zero bits that every proof of work has on the easiest network; only those beyond them raise a block's level. */
const EASY_BITS = 256 - MAX_BLOCK_LEVEL

/** The zero bits that a block's hash begins with, beyond the easy ones. Genesis is of every level. */
function levelOf(dag: Dag, hash: string): number {
  if (hash === dag.genesis) return MAX_BLOCK_LEVEL
  const zeros = hash.search(/[^0]/)
  const digit = Number.parseInt(hash[zeros] ?? '0', 16)
  return Math.max(0, 4 * zeros + Math.clz32(digit) - 28 - EASY_BITS)
}
