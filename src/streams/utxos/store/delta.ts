import type { UtxoEntry } from '../../../model/utxo.js'

/** The part of one `utxos-changed` notification that concerns one address. */
export interface Delta {
  readonly removed: readonly UtxoEntry[]
  readonly added: readonly UtxoEntry[]
}

/** Groups a notification by address. Entries without an address are left out. */
export function groupByAddress({ removed, added }: Delta): ReadonlyMap<string, Delta> {
  const parts = new Map<string, { removed: UtxoEntry[]; added: UtxoEntry[] }>()
  const partOf = (address: string): { removed: UtxoEntry[]; added: UtxoEntry[] } => {
    const known = parts.get(address)
    if (known !== undefined) return known
    const part = { removed: [], added: [] }
    parts.set(address, part)
    return part
  }
  // not for … of: unoptimized, its iterator results are garbage by the hundred thousand in a first snapshot
  removed.forEach((entry) => {
    if (entry.address !== undefined) partOf(entry.address).removed.push(entry)
  })
  added.forEach((entry) => {
    if (entry.address !== undefined) partOf(entry.address).added.push(entry)
  })
  return parts
}

/** Whether a notification can follow the previous ones, also those before a fetch. */
export type DeltaOrder = 'consistent' | 'inconsistent'

/** The notifications received during a fetch, newest first. A list, so that an addition costs constant time. */
export type BufferedDeltas = {
  readonly delta: Delta
  readonly earlier: BufferedDeltas
  readonly size: number
  /** Of all of them: `inconsistent` where one of them is. */
  readonly order: DeltaOrder
} | null

export const bufferDelta = (earlier: BufferedDeltas, delta: Delta, order: DeltaOrder): BufferedDeltas => ({
  delta,
  earlier,
  size: bufferedSize(earlier) + delta.removed.length + delta.added.length,
  order: earlier?.order === 'inconsistent' ? earlier.order : order,
})

/** Number of entries in the notifications. */
export const bufferedSize = (deltas: BufferedDeltas): number => deltas?.size ?? 0

/** The notifications, oldest first. */
export function toDeltas(newest: BufferedDeltas): readonly Delta[] {
  const deltas: Delta[] = []
  for (let buffered = newest; buffered !== null; buffered = buffered.earlier) deltas.push(buffered.delta)
  return deltas.reverse()
}
