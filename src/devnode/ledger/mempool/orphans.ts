import { toOutpointKey, type Outpoint, type OutpointKey } from '../../../model/utxo.js'
import type { Objection } from '../rules/objection.js'
import type { KnownTransaction } from '../transaction.js'

const MOST_ORPHANS = 500

/** Transactions of which a coin is not known yet. Nothing of them is verified. */
export class Orphans {
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

  object({ id, transaction }: KnownTransaction): Objection {
    if (this.#known.has(id)) return `orphan transaction ${id} is already in the orphan pool`
    const rivals = transaction.inputs.map(({ previousOutpoint }) => this.spenderOf(previousOutpoint))
    const rival = rivals.find((other) => other !== undefined)
    if (rival !== undefined)
      return `orphan transaction ${id} is double spending an input from already existing orphan ${rival}`
    const count = this.#known.size
    return count < MOST_ORPHANS
      ? undefined
      : `number of high-priority transactions in orphan pool (${String(count)}) has reached the maximum allowed (${String(MOST_ORPHANS)})`
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

  /** Those that spend from a transaction. */
  childrenOf({ id, transaction }: KnownTransaction): readonly KnownTransaction[] {
    const ids = transaction.outputs.map((_, index) => this.spenderOf({ transactionId: id, index }))
    return [...new Set(ids)].flatMap((child) => (child === undefined ? [] : (this.#known.get(child) ?? [])))
  }
}
