import type { LedgerBlock } from '../block.js'
import { INCLUDED_RETENTION } from '../params.js'
import { Orphans } from './orphans.js'
import { Pool } from './pool.js'

/** The transactions of a node outside blocks. */
export class Mempool {
  private constructor(
    readonly pool: Pool,
    readonly orphans: Orphans,
    readonly included: RecentlyIncluded,
  ) {}

  static empty(): Mempool {
    return new Mempool(new Pool(), new Orphans(), new RecentlyIncluded())
  }

  copy(): Mempool {
    return new Mempool(this.pool.copy(), this.orphans.copy(), this.included.copy())
  }

  /** Removes transactions included in a block, and double spends of them with their descendants. */
  removeIncluded({ transactions, header }: LedgerBlock): void {
    for (const { id, transaction } of transactions.slice(1)) {
      this.pool.remove(id)
      for (const { previousOutpoint } of transaction.inputs) {
        const doubleSpend = this.pool.spenderOf(previousOutpoint)
        if (doubleSpend !== undefined) this.pool.removeWithDescendants(doubleSpend)
      }
      this.orphans.remove(id)
      this.included.add(id, header.daaScore)
    }
  }
}

/**
 * Ids of recently included transactions, accepted or not, which the mempool rejects. Entries expire by DAA score only,
 * so never without new blocks.
 */
class RecentlyIncluded {
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
