import { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { toEntry } from '../../../model/utxo-columns/records.js'
import { spendsEntry, type UnconfirmedInput } from '../../../model/unconfirmed-transaction.js'
import { toOutpointKey, type OutpointKey } from '../../../model/utxo.js'

/** Which rows some inputs spend: those of their outpoints, with the script and the amount that the inputs state. */
export function createReservedTest(inputs: readonly UnconfirmedInput[]): Pick<OutpointFilter, 'has'> {
  const filter = new OutpointFilter(inputs.map(({ outpoint }) => outpoint))
  const byOutpoint = new Map<OutpointKey, UnconfirmedInput[]>()
  for (const input of inputs) {
    const key = toOutpointKey(input.outpoint)
    const others = byOutpoint.get(key)
    if (others === undefined) byOutpoint.set(key, [input])
    else others.push(input)
  }
  return {
    has: (columns, row) => {
      if (!filter.has(columns, row)) return false
      const entry = toEntry(columns, row)
      return (byOutpoint.get(toOutpointKey(entry.outpoint)) ?? []).some((input) => spendsEntry(input, entry))
    },
  }
}
