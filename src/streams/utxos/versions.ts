import type { OutpointKey, UtxoEntry } from '../../model/utxo.js'
import type { Entries, EntryChange } from './entry-changes.js'

/**
 * A moment in the life of mutable sets of entries. What was known then can still be read, without a copy having been made:
 * whoever holds an old version holds the way forward from it, and reading walks that way back.
 */
export interface Version {
  next: { readonly changes: readonly EntryChange[]; readonly version: Version } | null
}

export const firstVersion = (): Version => ({ next: null })

/** The version after `changes`. */
export function advance(version: Version, changes: readonly EntryChange[]): Version {
  const next = firstVersion()
  version.next = { changes, version: next }
  return next
}

/** The entries of some addresses as they were at `version`. `current` gives them as they are now. */
export function readAt(
  version: Version,
  addresses: ReadonlySet<string>,
  current: (address: string) => Entries | undefined,
): readonly UtxoEntry[] {
  const known = new Map<OutpointKey, UtxoEntry>()
  for (const address of addresses) for (const [key, entry] of current(address) ?? []) known.set(key, entry)
  for (const { address, key, before } of changesSince(version).reverse()) {
    if (!addresses.has(address)) continue
    if (before === undefined) known.delete(key)
    else known.set(key, before)
  }
  return [...known.values()]
}

function changesSince(version: Version): EntryChange[] {
  const all: EntryChange[] = []
  for (let step = version.next; step !== null; step = step.version.next) {
    for (const change of step.changes) all.push(change)
  }
  return all
}
