import type { BlockContext } from '../block.js'
import { MAX_PARENTS, MERGESET_LIMIT } from '../params.js'
import type { Acceptance } from './acceptance.js'
import type { Dag } from './dag.js'

/** The virtual block: the next block on all tips. Clients see its UTXO set. */
export interface Virtual {
  readonly context: BlockContext
  readonly acceptance: Acceptance
}

/** Whether two blocks have the same parents, and so the same past. */
export function haveSamePast(left: BlockContext, right: BlockContext): boolean {
  return left.parents.length === right.parents.length && left.parents.every((hash) => right.parents.includes(hash))
}

/**
 * The parents of virtual: the sink and other tips, heaviest first, up to the mergeset limit. A tip that exceeds the
 * limit is replaced by a block in its past; later blocks merge the remaining ones.
 */
export function pickVirtualParents(dag: Dag, sink: string, tips: readonly string[]): readonly string[] {
  const parents = [sink]
  const candidates = tips.filter((tip) => !dag.isInPastOrSame(tip, sink))
  let budget = MERGESET_LIMIT - 1
  for (let next = candidates.shift(); next !== undefined && parents.length < MAX_PARENTS; next = candidates.shift()) {
    const candidate = next
    if (budget <= 0 || dag.isInPastOfAny(candidate, parents)) continue
    const increase = measureMergeIncrease(dag, candidate, parents, budget)
    if (increase.kind === 'fits') {
      budget -= increase.size
      parents.push(candidate)
    } else if (!candidates.some((other) => dag.isInPastOrSame(increase.replacement, other))) {
      candidates.push(increase.replacement)
    }
  }
  return parents
}

/**
 * The number of blocks that a further parent adds to the mergeset, or the past block at which it exceeds the budget.
 */
type MergeIncrease =
  | { readonly kind: 'fits'; readonly size: number }
  | { readonly kind: 'exceeds'; readonly replacement: string }

/** Counts the blocks in the past of `candidate`, itself included, that are not in the past of `parents`. */
export function measureMergeIncrease(
  dag: Dag,
  candidate: string,
  parents: readonly string[],
  budget: number,
): MergeIncrease {
  const queue = [...dag.get(candidate).context.parents]
  const seen = new Set(queue)
  let size = 1
  for (const hash of queue) {
    if (dag.isInPastOfAny(hash, parents)) continue
    size++
    if (size > budget) return { kind: 'exceeds', replacement: hash }
    const unseen = dag.get(hash).context.parents.filter((parent) => !seen.has(parent))
    for (const parent of unseen) seen.add(parent)
    queue.push(...unseen)
  }
  return { kind: 'fits', size }
}

/** The path between two chain blocks: removed down to the fork point, then added. */
export interface ChainPath {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
}

/**
 * The path between two blocks along selected parents. Blue work decreases downwards, so the heavier end moves first.
 */
export function chainPath(dag: Dag, from: string, to: string): ChainPath {
  const removed: string[] = []
  const added: string[] = []
  let fromHash = from
  let toHash = to
  while (fromHash !== toHash) {
    if (dag.sortable(fromHash).blueWork > dag.sortable(toHash).blueWork) {
      removed.push(fromHash)
      fromHash = dag.get(fromHash).context.ghostdag.selectedParent
    } else {
      added.push(toHash)
      toHash = dag.get(toHash).context.ghostdag.selectedParent
    }
  }
  return { removed, added: added.reverse() }
}

/** The selected chain from genesis to sink, with an index by hash. */
export class SelectedChain {
  readonly #hashes: string[]
  readonly #indices: Map<string, number>

  constructor(hashes: readonly string[]) {
    this.#hashes = [...hashes]
    this.#indices = new Map(hashes.map((hash, index) => [hash, index]))
  }

  copy(): SelectedChain {
    return new SelectedChain(this.#hashes)
  }

  get length(): number {
    return this.#hashes.length
  }

  get sink(): string {
    return this.at(this.#hashes.length - 1)
  }

  /** Throws `RangeError` for an index outside the chain. */
  at(index: number): string {
    const hash = this.#hashes[index]
    if (hash === undefined) throw new RangeError(`The chain has no block at index ${String(index)}`)
    return hash
  }

  indexOf(hash: string): number | undefined {
    return this.#indices.get(hash)
  }

  has(hash: string): boolean {
    return this.#indices.has(hash)
  }

  slice(from: number, to?: number): readonly string[] {
    return this.#hashes.slice(from, to)
  }

  apply({ removed, added }: ChainPath): void {
    for (const hash of removed) this.#indices.delete(hash)
    this.#hashes.length -= removed.length
    for (const hash of added) this.#indices.set(hash, this.#hashes.push(hash) - 1)
  }
}
