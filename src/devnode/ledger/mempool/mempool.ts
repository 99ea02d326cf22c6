import type { LedgerBlock } from '../block.js'
import { Orphans } from './orphans.js'
import { Pool } from './pool.js'
import { RecentlyIncluded } from './recently-included.js'

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
