import { INCLUDED_MEMORY } from '../params.js'

/**
 * Ids of transactions that a block has included lately, whether or not they took effect: they are not taken again. The memory
 * goes by DAA score alone; a network that stands still never forgets.
 */
export class RecentlyIncluded {
  readonly #scores: Map<string, bigint>

  constructor(copied?: RecentlyIncluded) {
    this.#scores = new Map(copied === undefined ? [] : copied.#scores)
  }

  copy(): RecentlyIncluded {
    return new RecentlyIncluded(this)
  }

  add(id: string, blockDaaScore: bigint): void {
    this.#scores.delete(id)
    this.#scores.set(id, blockDaaScore)
  }

  has(id: string, virtualDaaScore: bigint): boolean {
    const score = this.#scores.get(id)
    return score !== undefined && virtualDaaScore <= score + INCLUDED_MEMORY
  }

  /** Lets go of what is too old, the oldest first. */
  expire(virtualDaaScore: bigint): void {
    for (const id of this.#scores.keys()) {
      if (this.has(id, virtualDaaScore)) return
      this.#scores.delete(id)
    }
  }
}
