import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { KnownTransaction } from '../transaction.js'

export interface PoolEntry {
  readonly known: KnownTransaction
  /** Spent UTXOs by input, as of admission. */
  readonly spent: readonly UtxoEntry[]
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the maximum of compute mass, storage mass and half the transient mass. */
  readonly mass: bigint
  /** Sompi per gram of that mass. */
  readonly feerate: number
}

/** The initial average transaction mass, in grams, and the decay of the average. */
const INITIAL_AVERAGE_MASS = 2036
const AVERAGE_DECAY = 0.99999

/** Mempool transactions without double spends, and which of them are ready. */
export class Pool {
  readonly #entries: Map<string, PoolEntry>
  readonly #spenders: Map<OutpointKey, string>
  /** Ids of transactions without parents in the mempool. */
  readonly #ready: Set<string>
  #averageMass: number

  constructor(copied?: Pool) {
    this.#entries = new Map(copied === undefined ? [] : copied.#entries)
    this.#spenders = new Map(copied === undefined ? [] : copied.#spenders)
    this.#ready = new Set(copied === undefined ? [] : copied.#ready)
    this.#averageMass = copied === undefined ? INITIAL_AVERAGE_MASS : copied.#averageMass
  }

  copy(): Pool {
    return new Pool(this)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Grams: exponential average over all transactions that became ready. */
  get averageMass(): number {
    return this.#averageMass
  }

  find(id: string): PoolEntry | undefined {
    return this.#entries.get(id)
  }

  /** In order of admission. */
  entries(): Iterable<PoolEntry> {
    return this.#entries.values()
  }

  /** Transactions without parents in the mempool: only they can be in the next block. */
  ready(): readonly PoolEntry[] {
    return [...this.#ready].flatMap((id) => this.#entries.get(id) ?? [])
  }

  spenderOf(outpoint: Outpoint): string | undefined {
    return this.#spenders.get(toOutpointKey(outpoint))
  }

  add(entry: PoolEntry): void {
    this.#entries.set(entry.known.id, entry)
    for (const { previousOutpoint } of entry.known.transaction.inputs)
      this.#spenders.set(toOutpointKey(previousOutpoint), entry.known.id)
    this.#updateReady(entry)
  }

  /** Removes a transaction; its children may become ready. */
  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const children = this.#childrenOf(entry)
    this.#entries.delete(id)
    this.#ready.delete(id)
    for (const { previousOutpoint } of entry.known.transaction.inputs)
      this.#spenders.delete(toOutpointKey(previousOutpoint))
    for (const child of children) this.#updateReady(child)
  }

  removeWithDescendants(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    for (const child of this.#childrenOf(entry)) this.removeWithDescendants(child.known.id)
    this.remove(id)
  }

  #childrenOf({ known: { id, transaction } }: PoolEntry): readonly PoolEntry[] {
    const ids = transaction.outputs.map((_, index) => this.spenderOf({ transactionId: id, index }))
    return [...new Set(ids)].flatMap((child) => (child === undefined ? [] : (this.#entries.get(child) ?? [])))
  }

  #updateReady({ known: { id, transaction }, mass }: PoolEntry): void {
    if (transaction.inputs.some(({ previousOutpoint }) => this.#entries.has(previousOutpoint.transactionId))) return
    this.#ready.add(id)
    this.#averageMass = this.#averageMass * AVERAGE_DECAY + Number(mass) * (1 - AVERAGE_DECAY)
  }
}
