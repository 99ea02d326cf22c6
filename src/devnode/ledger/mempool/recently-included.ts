import { INCLUDED_RETENTION } from '../params.js'

/**
 * Ids of recently included transactions, accepted or not, which the mempool rejects. Entries expire by DAA score only,
 * so never without new blocks.
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
    return score !== undefined && virtualDaaScore <= score + INCLUDED_RETENTION
  }

  /** Removes expired ids, oldest first. */
  expire(virtualDaaScore: bigint): void {
    for (const id of this.#scores.keys()) {
      if (this.has(id, virtualDaaScore)) return
      this.#scores.delete(id)
    }
  }
}
