import type { UtxoEntry } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

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

/** The outpoints of the last few notifications. */
interface RecentDeltas {
  /**
   * Records a notification. `inconsistent` where it cannot follow the previous ones: it adds or removes an outpoint
   * twice, adds a removed one, or removes one with another DAA score than it was added with. (A reorg may add a removed
   * one; then the set is fetched once without need.)
   */
  record(delta: Delta): DeltaOrder
}

/** Detects reordering within the last `remembered` notifications. */
export function createRecentDeltas(hash: OutpointHash, remembered = 8): RecentDeltas {
  const recentlyAdded = new OutpointMap(hash)
  const recentlyRemoved = new OutpointMap(hash)
  const deltas: Delta[] = []
  return {
    record: (delta) => {
      const { removed, added } = delta
      let conflicts = 0
      for (const entry of removed) {
        if (recentlyRemoved.put(entry) !== undefined) conflicts++
        const addedBefore = recentlyAdded.remove(entry.outpoint)
        if (addedBefore !== undefined && addedBefore.blockDaaScore !== entry.blockDaaScore) conflicts++
      }
      const removedNow = new Set(removed)
      for (const entry of added) {
        const removedBefore = recentlyRemoved.remove(entry.outpoint)
        if (recentlyAdded.put(entry) !== undefined || (removedBefore !== undefined && !removedNow.has(removedBefore)))
          conflicts++
      }
      deltas.push(delta)
      const expired = deltas.length > remembered ? deltas.shift() : undefined
      if (expired !== undefined) {
        forget(recentlyRemoved, expired.removed)
        forget(recentlyAdded, expired.added)
      }
      return conflicts === 0 ? 'consistent' : 'inconsistent'
    },
  }
}

export function isOutOfOrder(deltas: readonly Delta[], hash: OutpointHash): boolean {
  const recent = createRecentDeltas(hash, deltas.length)
  return deltas.some((delta) => recent.record(delta) === 'inconsistent')
}

/** Removes entries, unless a later notification replaced them. */
function forget(recent: OutpointMap, entries: readonly UtxoEntry[]): void {
  for (const entry of entries) if (recent.get(entry.outpoint) === entry) recent.remove(entry.outpoint)
}
