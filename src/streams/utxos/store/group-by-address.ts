import type { UtxoEntry } from '../../../model/utxo.js'
import type { Delta } from './buffered-deltas.js'

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
