import type { LedgerBlock } from '../block.js'
import { INCLUDED_RETENTION } from '../params.js'
import { Pool } from './pool.js'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../../model/utxo.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { KnownTransaction } from '../transaction.js'

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

const MAX_ORPHANS = 500

/** Transactions with an unknown spent UTXO. They are not validated. */
class Orphans {
  readonly #known: Map<string, KnownTransaction>
  readonly #spenders: Map<OutpointKey, string>

  constructor(copied?: Orphans) {
    this.#known = new Map(copied === undefined ? [] : copied.#known)
    this.#spenders = new Map(copied === undefined ? [] : copied.#spenders)
  }

  copy(): Orphans {
    return new Orphans(this)
  }

  find(id: string): KnownTransaction | undefined {
    return this.#known.get(id)
  }

  all(): Iterable<KnownTransaction> {
    return this.#known.values()
  }

  validate({ id, transaction }: KnownTransaction): Violation {
    if (this.#known.has(id)) return `orphan transaction ${id} is already in the orphan pool`
    const spenders = transaction.inputs.map(({ previousOutpoint }) => this.spenderOf(previousOutpoint))
    const doubleSpend = spenders.find((other) => other !== undefined)
    if (doubleSpend !== undefined)
      return `orphan transaction ${id} is double spending an input from already existing orphan ${doubleSpend}`
    const count = this.#known.size
    return count < MAX_ORPHANS
      ? undefined
      : `number of high-priority transactions in orphan pool (${String(count)}) has reached the maximum allowed (${String(MAX_ORPHANS)})`
  }

  add(known: KnownTransaction): void {
    this.#known.set(known.id, known)
    for (const { previousOutpoint } of known.transaction.inputs)
      this.#spenders.set(toOutpointKey(previousOutpoint), known.id)
  }

  remove(id: string): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    this.#known.delete(id)
    for (const { previousOutpoint } of known.transaction.inputs) this.#spenders.delete(toOutpointKey(previousOutpoint))
  }

  spenderOf(outpoint: Outpoint): string | undefined {
    return this.#spenders.get(toOutpointKey(outpoint))
  }

  childrenOf({ id, transaction }: KnownTransaction): readonly KnownTransaction[] {
    const ids = transaction.outputs.map((_, index) => this.spenderOf({ transactionId: id, index }))
    return [...new Set(ids)].flatMap((child) => (child === undefined ? [] : (this.#known.get(child) ?? [])))
  }
}
