import { isDead, type UtxoColumns } from '../../model/utxo-columns/columns.js'
import { OutpointFilter, outpointAt } from '../../model/utxo-columns/outpoint-filter.js'
import { toEntry } from '../../model/utxo-columns/records.js'
import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { CheckedUtxos } from './check-entries.js'
import { INVALID_SCRIPT } from './script-classes.js'

/** The entries of some outpoints, spendable or not, apart from those whose script is not that of their address. */
export function findEntries(utxos: CheckedUtxos, outpoints: readonly Outpoint[]): ReadonlyMap<OutpointKey, UtxoEntry> {
  const filter = new OutpointFilter(outpoints)
  const found = new Map<OutpointKey, UtxoEntry>()
  eachRow(utxos, (columns, row, isInvalid) => {
    if (isInvalid || !filter.has(columns, row)) return
    const entry = toEntry(columns, row)
    found.set(toOutpointKey(entry.outpoint), entry)
  })
  return found
}

/** The outpoints of entries that are never spent, because their script is not that of their address. */
export function invalidOutpoints(utxos: CheckedUtxos): readonly Outpoint[] {
  const invalid: Outpoint[] = []
  if (!utxos.classes.some((classes) => classes.includes(INVALID_SCRIPT))) return invalid
  eachRow(utxos, (columns, row, isInvalid) => {
    if (isInvalid) invalid.push(outpointAt(columns, row))
  })
  return invalid
}

function eachRow(
  { source, classes }: CheckedUtxos,
  visit: (columns: UtxoColumns, row: number, isInvalid: boolean) => void,
): void {
  source.rows.parts.forEach(({ columns, dead }, part) => {
    for (let row = 0; row < columns.count; row++) {
      if (isDead(dead, row)) continue
      visit(columns, row, classes[part]?.[columns.scriptOf[row] ?? 0] === INVALID_SCRIPT)
    }
  })
}
