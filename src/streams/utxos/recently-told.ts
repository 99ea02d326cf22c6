import type { UtxoEntry } from '../../model/utxo.js'
import type { Delta } from './book-phase.js'
import { OutpointMap } from './outpoint-map.js'

/** What the last few notifications have said. */
export interface RecentlyTold {
  /**
   * Takes note of a notification. `doubtful` where it cannot have been sent after those before it: what has come comes
   * again, what has gone goes again or is back. (Back it may be after a reorg; then a look too many is no harm.)
   */
  note(delta: Delta): 'in-order' | 'doubtful'
}

/** Remembers so many notifications: what lies further back is not taken for a mix-up. */
export function createRecentlyTold(seed = 0, remembered = 8): RecentlyTold {
  const come = new OutpointMap(seed)
  const gone = new OutpointMap(seed)
  const deltas: Delta[] = []
  return {
    note: (delta) => {
      const { removed, added } = delta
      let surprises = 0
      for (const entry of removed) {
        if (gone.put(entry) !== undefined) surprises++
        come.take(entry.outpoint)
      }
      const leaving = new Set(removed)
      for (const entry of added) {
        const left = gone.take(entry.outpoint)
        if (come.put(entry) !== undefined || (left !== undefined && !leaving.has(left))) surprises++
      }
      deltas.push(delta)
      const forgotten = deltas.length > remembered ? deltas.shift() : undefined
      if (forgotten !== undefined) {
        forget(gone, forgotten.removed)
        forget(come, forgotten.added)
      }
      return surprises === 0 ? 'in-order' : 'doubtful'
    },
  }
}

/** Whether some notifications cannot have been sent in this order. */
export function isMuddled(deltas: readonly Delta[], seed = 0): boolean {
  const told = createRecentlyTold(seed, deltas.length)
  return deltas.some((delta) => told.note(delta) === 'doubtful')
}

/** Forgets what was said of some entries, unless it was said again since. */
function forget(told: OutpointMap, entries: readonly UtxoEntry[]): void {
  for (const entry of entries) if (told.get(entry.outpoint) === entry) told.take(entry.outpoint)
}
