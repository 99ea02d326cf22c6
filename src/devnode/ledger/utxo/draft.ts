import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { UtxoDiff, UtxoView } from './utxo-set.js'

/** Uncommitted changes on top of a UTXO view, collected while a mergeset is accepted. */
export class UtxoDraft implements UtxoView {
  readonly #base: UtxoView
  readonly #removed = new Map<OutpointKey, UtxoEntry>()
  readonly #added = new Map<OutpointKey, UtxoEntry>()

  constructor(base: UtxoView, changes: UtxoDiff = { removed: [], added: [] }) {
    this.#base = base
    for (const entry of changes.removed) this.spend(entry)
    for (const entry of changes.added) this.create(entry)
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    const key = toOutpointKey(outpoint)
    const added = this.#added.get(key)
    if (added !== undefined) return added
    return this.#removed.has(key) ? undefined : this.#base.get(outpoint)
  }

  spend(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    if (!this.#added.delete(key)) this.#removed.set(key, entry)
  }

  create(entry: UtxoEntry): void {
    this.#added.set(toOutpointKey(entry.outpoint), entry)
  }

  /** The net changes. A UTXO created and spent within the draft is in neither list. */
  diff(): UtxoDiff {
    return { removed: [...this.#removed.values()], added: [...this.#added.values()] }
  }
}
