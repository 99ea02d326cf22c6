import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { type UtxoColumns, markDead, noDeadRows, type DeadRows } from '../../model/utxo-columns/columns.js'
import { outpointAt } from '../../model/utxo-columns/outpoint-filter.js'
import { createTarget, finishColumns, writeEntry } from '../../model/utxo-columns/records.js'
import { createUtxoPart, createUtxoRows } from '../../model/utxo-source/rows.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import { createEntryCheck } from './check-entry.js'
import {
  INVALID_SCRIPT,
  isOfNetwork,
  otherNetwork,
  type ClassifyScripts,
  type ScriptClasses,
} from './script-classes.js'

/** The UTXOs of a payment, checked. */
export interface CheckedUtxos {
  readonly source: UtxoSource
  /** The classes of the scripts of each part. */
  readonly classes: readonly ScriptClasses[]
}

/**
 * Checks the entries of a payment: records are copied to columns; those of a source were checked when they were
 * reported, apart from the classes of their scripts. Throws `ChainError` (`invalid-argument`).
 */
export function checkEntries(
  given: readonly UtxoEntry[] | UtxoSource,
  network: ChainNetwork,
  classify: ClassifyScripts,
): CheckedUtxos {
  const source = given instanceof UtxoSource ? given : toSource(given, network, classify)
  const classes = source.rows.parts.map(({ columns: { scripts } }) => {
    if (!scripts.every(({ address }) => isOfNetwork(address, network))) throw otherNetwork('entries', network)
    return classify(scripts)
  })
  return { source, classes }
}

/** Copies records: the argument may be a Vue proxy, or change during the calls to the node. */
function toSource(given: readonly UtxoEntry[], network: ChainNetwork, classify: ClassifyScripts): UtxoSource {
  if (!Array.isArray(given)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries', HINT)
  const target = createTarget(given.length)
  const check = createEntryCheck(network)
  const ids = new Set<string>()
  given.forEach((each: Partial<UtxoEntry> | null | undefined, at) => {
    const entry = check(each, at)
    ids.add(entry.outpoint.transactionId)
    writeEntry(target, at, entry)
  })
  const columns = finishColumns(target, given.length)
  // needs no text for each outpoint where the transactions are distinct, as in most wallets
  const dead = ids.size === given.length ? null : duplicatesOf(columns, classify(columns.scripts))
  return UtxoSource.of(createUtxoRows([createUtxoPart(columns, dead)]), null)
}

const HINT = 'Or the source of a UTXO state, such as useUtxo().source.value.'

/** The rows whose outpoint a later row repeats. */
function duplicatesOf(columns: UtxoColumns, classes: ScriptClasses): DeadRows {
  const latest = new Map<OutpointKey, number>()
  const dead = noDeadRows(columns.count)
  for (let row = 0; row < columns.count; row++) {
    if (classes[columns.scriptOf[row] ?? 0] === INVALID_SCRIPT) continue
    const key = toOutpointKey(outpointAt(columns, row))
    const earlier = latest.get(key)
    if (earlier !== undefined) markDead(dead, earlier)
    latest.set(key, row)
  }
  return dead
}
