import type { Dag } from './dag.js'

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
