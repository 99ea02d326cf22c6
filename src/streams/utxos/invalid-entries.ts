import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'

/**
 * Why an entry that a node reported is not used:
 * - `script`: its script is not the one of its address. `amount`: it is zero or above the maximum supply.
 * - `supply`: together with the other entries it exceeds the maximum supply.
 * - `conflict`: its outpoint was reported with another amount before; usable once a snapshot from a node on another host
 *   reports one of the two amounts.
 */
export type InvalidReason = 'script' | 'amount' | 'supply' | 'conflict'

/** An entry that a node reported and that is not used. */
export interface InvalidEntry {
  readonly outpoint: Outpoint
  readonly reason: InvalidReason
}

export interface InvalidEntries {
  /** The newest 100 reported entries that are not used, newest last. Renewed with each snapshot. */
  readonly invalidEntries: readonly InvalidEntry[]
  /** Number of reported entries that are not used since the last snapshot, also of those not listed. */
  readonly invalidEntryCount: number
}

const MAX_LISTED = 100

export const NO_INVALID_ENTRIES: InvalidEntries = { invalidEntries: [], invalidEntryCount: 0 }

/** The invalid entries of one address since its last snapshot. */
export interface InvalidEntryLog {
  readonly count: number
  /** `order` increases with each entry of any log. */
  readonly listed: ReadonlyMap<OutpointKey, { readonly order: number; readonly entry: InvalidEntry }>
  add(entry: InvalidEntry): void
  remove(outpoint: Outpoint): void
  clear(): void
}

export function createInvalidEntryLog(nextOrder: () => number): InvalidEntryLog {
  const listed = new Map<OutpointKey, { readonly order: number; readonly entry: InvalidEntry }>()
  let count = 0
  return {
    listed,
    get count() {
      return count
    },
    add: (entry) => {
      const key = toOutpointKey(entry.outpoint)
      if (!listed.delete(key)) count++ // set again below, so that the newest is last
      listed.set(key, { order: nextOrder(), entry })
      for (const oldest of listed.keys()) {
        if (listed.size <= MAX_LISTED) break
        listed.delete(oldest)
      }
    },
    remove: (outpoint) => {
      if (count > 0 && listed.delete(toOutpointKey(outpoint))) count--
    },
    clear: () => {
      listed.clear()
      count = 0
    },
  }
}

/** The invalid entries of several addresses. */
export function mergeInvalidEntries(logs: Iterable<InvalidEntryLog>): InvalidEntries {
  const counted = [...logs].filter(({ count }) => count > 0)
  if (counted.length === 0) return NO_INVALID_ENTRIES
  const listed = counted.flatMap((log) => [...log.listed.values()]).sort((a, b) => a.order - b.order)
  return {
    invalidEntries: listed.slice(-MAX_LISTED).map(({ entry }) => entry),
    invalidEntryCount: counted.reduce((sum, { count }) => sum + count, 0),
  }
}
