import type { Network } from '../network.js'
import { nameOutpoint, type Objection } from '../rules/objection.js'
import type { KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'

/** What is done about a transaction in the mempool that spends the same coin. */
export type RivalPolicy = 'refuse' | 'replace'

/** Transactions in the mempool that spend a coin of this one. */
export function rivalsOf({ mempool: { pool } }: Network, { transaction }: KnownTransaction): readonly PoolEntry[] {
  const ids = transaction.inputs.map(({ previousOutpoint }) => pool.spenderOf(previousOutpoint))
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (pool.find(id) ?? [])))
}

/** An ordinary transaction has none; a replacement has exactly one. */
export function objectToRivals(network: Network, known: KnownTransaction, policy: RivalPolicy): Objection {
  if (policy === 'refuse') return nameRival(network, known)
  const { length } = rivalsOf(network, known)
  if (length === 1) return undefined
  return length === 0
    ? 'replace by fee found no double spending transaction in the mempool'
    : 'replace by fee found more than one double spending transaction in the mempool'
}

/** A replacement pays more for each gram, by however little. */
export function objectToFeerate(network: Network, entry: PoolEntry, policy: RivalPolicy): Objection {
  if (policy === 'refuse') return undefined
  return rivalsOf(network, entry.known).every(({ feerate }) => entry.feerate > feerate)
    ? undefined
    : 'fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction'
}

function nameRival({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Objection {
  for (const { previousOutpoint } of transaction.inputs) {
    const rival = pool.spenderOf(previousOutpoint)
    if (rival !== undefined)
      return `output ${nameOutpoint(previousOutpoint)} already spent by transaction ${rival} in the mempool`
  }
  return undefined
}
