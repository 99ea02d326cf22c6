import { MAX_PARENTS, MERGESET_LIMIT } from '../params.js'
import type { Dag } from './dag.js'

/**
 * The parents of the next block: the sink, and as many other tips, heaviest first, as may be merged together with it. A tip
 * that would bring too much is replaced by a block in its past: the next blocks then merge the rest.
 */
export function pickVirtualParents(dag: Dag, sink: string, tips: readonly string[]): readonly string[] {
  const parents = [sink]
  const candidates = tips.filter((tip) => !dag.isInPastOrSame(tip, sink))
  let budget = MERGESET_LIMIT - 1
  for (let next = candidates.shift(); next !== undefined && parents.length < MAX_PARENTS; next = candidates.shift()) {
    const candidate = next
    if (budget <= 0 || dag.isInPastOfAny(candidate, parents)) continue
    const increase = measureMerge(dag, candidate, parents, budget)
    if (increase.kind === 'fits') {
      budget -= increase.size
      parents.push(candidate)
    } else if (!candidates.some((other) => dag.isInPastOrSame(increase.instead, other))) {
      candidates.push(increase.instead)
    }
  }
  return parents
}

/** What merging a block beside others costs: so many blocks, or more than may be, found out at the block `instead`. */
export type MergeIncrease =
  { readonly kind: 'fits'; readonly size: number } | { readonly kind: 'exceeds'; readonly instead: string }

/** Counts the blocks in the past of `candidate`, itself included, that are not in the past of `parents`. */
export function measureMerge(dag: Dag, candidate: string, parents: readonly string[], budget: number): MergeIncrease {
  const queue = [...dag.get(candidate).context.parents]
  const seen = new Set(queue)
  let size = 1
  for (const hash of queue) {
    if (dag.isInPastOfAny(hash, parents)) continue
    size++
    if (size > budget) return { kind: 'exceeds', instead: hash }
    const unseen = dag.get(hash).context.parents.filter((parent) => !seen.has(parent))
    for (const parent of unseen) seen.add(parent)
    queue.push(...unseen)
  }
  return { kind: 'fits', size }
}
