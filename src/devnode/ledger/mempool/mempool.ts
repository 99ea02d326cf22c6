import type { LedgerBlock } from '../block.js'
import { Orphans } from './orphans.js'
import { Pool } from './pool.js'
import { RecentlyIncluded } from './recently-included.js'

/** What a node knows of transactions beside the blocks. */
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

  /** A block came: what it includes waits no longer, what it rules out goes with all that spends from it. */
  forgetIncluded({ transactions, header }: LedgerBlock): void {
    for (const { id, transaction } of transactions.slice(1)) {
      this.pool.remove(id)
      for (const { previousOutpoint } of transaction.inputs) {
        const rival = this.pool.spenderOf(previousOutpoint)
        if (rival !== undefined) this.pool.removeWithDescendants(rival)
      }
      this.orphans.remove(id)
      this.included.add(id, header.daaScore)
    }
  }
}
