import { MAX_SOMPI } from '../../model/amount.js'
import { STORAGE_PARAMETER } from '../../model/mass.js'

/** A payment, as far as a batch depends on it. */
export interface BatchItem {
  readonly id: string
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

/** What one transaction may pay. */
export interface BatchLimits {
  readonly maxOutputs: number
  /**
   * Grams of storage mass (KIP-9) of the outputs: 10¹² divided by the sompi of each. The change has a share of the
   * 500,000 too.
   */
  readonly maxStorageMass: bigint
}

/** How often a payment is left out of a batch, at most, for those behind it. */
const MAX_SKIPS = 10

export interface Batch<Item> {
  readonly items: readonly Item[]
  /** How often each payment that is still in the queue was left out. */
  readonly skips: ReadonlyMap<string, number>
}

/** Grams of storage mass of an output to an address: the script of each form takes one unit of the UTXO set (KIP-9). */
export const outputMass = ({ amount }: Pick<BatchItem, 'amount'>): bigint => STORAGE_PARAMETER / amount

/**
 * The payments of the next transaction, oldest first, as many as fit. One that does not fit is left out for those
 * behind it, in at most ten batches. Inputs do not help: one large UTXO offsets nothing. No transaction
 * pays more than the supply.
 */
export function nextBatch<Item extends BatchItem>(
  queue: readonly Item[],
  { maxOutputs, maxStorageMass }: BatchLimits,
  skips: ReadonlyMap<string, number> = new Map(),
): Batch<Item> {
  const items: Item[] = []
  const next = new Map<string, number>()
  let mass = 0n
  let paid = 0n
  for (const item of queue) {
    if (items.length >= maxOutputs) break
    const grams = outputMass(item)
    const fits = mass + grams <= maxStorageMass && paid + item.amount <= MAX_SOMPI
    if (items.length === 0 || fits) {
      items.push(item)
      mass += grams
      paid += item.amount
      continue
    }
    const skipped = skips.get(item.id) ?? 0
    if (skipped >= MAX_SKIPS) break
    next.set(item.id, skipped + 1)
  }
  return { items, skips: next }
}
