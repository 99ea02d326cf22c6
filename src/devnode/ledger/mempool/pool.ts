import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { KnownTransaction } from '../transaction.js'

/** A transaction that waits for a block. */
export interface PoolEntry {
  readonly known: KnownTransaction
  /** The coins it spends, by input, as they were when it came. */
  readonly spent: readonly UtxoEntry[]
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of compute mass, storage mass and half the transient mass. */
  readonly mass: bigint
  /** Sompi per gram of that mass. */
  readonly feerate: number
}

/** What a transaction is taken to weigh before any was seen, in grams, and how slowly that average moves. */
const FIRST_AVERAGE_MASS = 2036
const AVERAGE_DECAY = 0.99999

/** The transactions that wait, none spending a coin that another spends, and who waits for whom. */
export class Pool {
  readonly #entries: Map<string, PoolEntry>
  readonly #spenders: Map<OutpointKey, string>
  /** Ids of those that wait for no other. */
  readonly #ready: Set<string>
  #averageMass: number

  constructor(copied?: Pool) {
    this.#entries = new Map(copied === undefined ? [] : copied.#entries)
    this.#spenders = new Map(copied === undefined ? [] : copied.#spenders)
    this.#ready = new Set(copied === undefined ? [] : copied.#ready)
    this.#averageMass = copied === undefined ? FIRST_AVERAGE_MASS : copied.#averageMass
  }

  copy(): Pool {
    return new Pool(this)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Grams: a slow average over all that were ever ready. */
  get averageMass(): number {
    return this.#averageMass
  }

  find(id: string): PoolEntry | undefined {
    return this.#entries.get(id)
  }

  /** In the order of arrival. */
  entries(): Iterable<PoolEntry> {
    return this.#entries.values()
  }

  /** Those that no other here must precede: only they may be in the next block. */
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
    this.#noteReady(entry)
  }

  /** Takes one out, and lets those go on that waited for it. */
  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const children = this.#childrenOf(entry)
    this.#entries.delete(id)
    this.#ready.delete(id)
    for (const { previousOutpoint } of entry.known.transaction.inputs)
      this.#spenders.delete(toOutpointKey(previousOutpoint))
    for (const child of children) this.#noteReady(child)
  }

  /** Takes one out with all that spend from it. */
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

  #noteReady({ known: { id, transaction }, mass }: PoolEntry): void {
    if (transaction.inputs.some(({ previousOutpoint }) => this.#entries.has(previousOutpoint.transactionId))) return
    this.#ready.add(id)
    this.#averageMass = this.#averageMass * AVERAGE_DECAY + Number(mass) * (1 - AVERAGE_DECAY)
  }
}
