import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'

/** The confirmed outputs of one address, by outpoint. */
export type Entries = Map<OutpointKey, UtxoEntry>

/** What became of one output. */
export interface EntryChange {
  readonly address: string
  readonly key: OutpointKey
  /** Undefined where it is new. */
  readonly before: UtxoEntry | undefined
  /** Undefined where it is gone. */
  readonly after: UtxoEntry | undefined
}

export interface DeltaOutcome {
  readonly changes: readonly EntryChange[]
  /**
   * `in-order` where the delta fits what was known: it takes away what was there, and adds what was not. `doubtful` where
   * it was heard twice, out of order, or after a snapshot that held it already: then only another look can tell.
   */
  readonly fit: 'in-order' | 'doubtful'
}

/**
 * Applies a notification to an address's entries, removals first: an outpoint that is in both lists is a coin that stays
 * and got another DAA score. What changes nothing is no change, so that hearing it twice does no harm. Costs what the
 * delta is large, not what the entries are many.
 */
export function applyDelta(
  address: string,
  entries: Entries,
  removed: readonly UtxoEntry[],
  added: readonly UtxoEntry[],
): DeltaOutcome {
  const before = new Map<OutpointKey, UtxoEntry | undefined>()
  let surprises = 0
  for (const entry of removed) {
    const key = toOutpointKey(entry.outpoint)
    const known = entries.get(key)
    if (known === undefined || !isSameEntry(known, entry)) surprises++
    if (known === undefined) continue
    before.set(key, known)
    entries.delete(key)
  }
  for (const entry of added) {
    const key = toOutpointKey(entry.outpoint)
    if (entries.has(key)) surprises++
    if (!before.has(key)) before.set(key, entries.get(key))
    const known = before.get(key)
    entries.set(key, known !== undefined && isSameEntry(known, entry) ? known : entry)
  }
  return { changes: toChanges(address, entries, before), fit: surprises === 0 ? 'in-order' : 'doubtful' }
}

/** Makes `entries` what a snapshot says. What has not changed keeps its object. */
export function replaceEntries(
  address: string,
  entries: Entries,
  snapshot: readonly UtxoEntry[],
): readonly EntryChange[] {
  const before = new Map<OutpointKey, UtxoEntry | undefined>(entries)
  entries.clear()
  for (const entry of snapshot) {
    const key = toOutpointKey(entry.outpoint)
    const known = before.get(key)
    if (known === undefined) before.set(key, undefined)
    entries.set(key, known !== undefined && isSameEntry(known, entry) ? known : entry)
  }
  return toChanges(address, entries, before)
}

function toChanges(
  address: string,
  entries: Entries,
  touched: ReadonlyMap<OutpointKey, UtxoEntry | undefined>,
): EntryChange[] {
  const changes: EntryChange[] = []
  for (const [key, before] of touched) {
    const after = entries.get(key)
    if (before !== after) changes.push({ address, key, before, after })
  }
  return changes
}

/** Whether two entries of one outpoint say the same. Amount and script belong to the outpoint and cannot differ. */
const isSameEntry = (a: UtxoEntry, b: UtxoEntry): boolean =>
  a.blockDaaScore === b.blockDaaScore && a.isCoinbase === b.isCoinbase
