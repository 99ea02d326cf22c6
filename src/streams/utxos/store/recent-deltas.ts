import type { UtxoEntry } from '../../../model/utxo.js'
import type { Delta, DeltaOrder } from './delta.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

/** The outpoints of the last few notifications. */
export interface RecentDeltas {
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
