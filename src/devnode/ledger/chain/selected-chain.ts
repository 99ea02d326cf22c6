import type { Dag } from './dag.js'

/** How one chain block is reached from another: down against the chain, then up along it. */
export interface ChainPath {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
}

/** The way between two blocks along selected parents. Blue work falls with each step down, so the heavier end goes first. */
export function chainPath(dag: Dag, from: string, to: string): ChainPath {
  const removed: string[] = []
  const added: string[] = []
  let left = from
  let right = to
  while (left !== right) {
    const goesLeft = dag.weigh(left).blueWork > dag.weigh(right).blueWork
    if (goesLeft) {
      removed.push(left)
      left = dag.get(left).context.ghostdag.selectedParent
    } else {
      added.push(right)
      right = dag.get(right).context.ghostdag.selectedParent
    }
  }
  return { removed, added: added.reverse() }
}

/** The chain from genesis to sink, with the place of each of its blocks. */
export class SelectedChain {
  readonly #hashes: string[]
  readonly #places: Map<string, number>

  constructor(hashes: readonly string[]) {
    this.#hashes = [...hashes]
    this.#places = new Map(hashes.map((hash, place) => [hash, place]))
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

  /** The chain block at a place that must be there. */
  at(place: number): string {
    const hash = this.#hashes[place]
    if (hash === undefined) throw new RangeError(`The chain has no place ${String(place)}`)
    return hash
  }

  placeOf(hash: string): number | undefined {
    return this.#places.get(hash)
  }

  has(hash: string): boolean {
    return this.#places.has(hash)
  }

  slice(from: number, to?: number): readonly string[] {
    return this.#hashes.slice(from, to)
  }

  follow({ removed, added }: ChainPath): void {
    for (const hash of removed) this.#places.delete(hash)
    this.#hashes.length -= removed.length
    for (const hash of added) this.#places.set(hash, this.#hashes.push(hash) - 1)
  }
}
