import { toOutpointKey, type Outpoint, type OutpointKey } from '../../../model/utxo.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { KnownTransaction } from '../transaction.js'

const MAX_ORPHANS = 500

/** Transactions with an unknown spent UTXO. They are not validated. */
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
