import type { Network } from '../network.js'
import { formatOutpoint, type Violation } from '../../../model/transaction-rules/violation.js'
import type { KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'

/** Whether a transaction must not, or must, replace a double spend in the mempool. */
export type RbfPolicy = 'forbidden' | 'required'

/** Mempool transactions that spend a UTXO of this one. */
export function doubleSpendsOf(
  { mempool: { pool } }: Network,
  { transaction }: KnownTransaction,
): readonly PoolEntry[] {
  const ids = transaction.inputs.map(({ previousOutpoint }) => pool.spenderOf(previousOutpoint))
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (pool.find(id) ?? [])))
}

/** A replacement must have exactly one double spend in the mempool, any other transaction none. */
export function validateDoubleSpends(network: Network, known: KnownTransaction, policy: RbfPolicy): Violation {
  if (policy === 'forbidden') return findDoubleSpend(network, known)
  const { length } = doubleSpendsOf(network, known)
  if (length === 1) return undefined
  return length === 0
    ? 'replace by fee found no double spending transaction in the mempool'
    : 'replace by fee found more than one double spending transaction in the mempool'
}

/** A replacement must have a higher feerate, by any amount. */
export function validateReplacementFeerate(network: Network, entry: PoolEntry, policy: RbfPolicy): Violation {
  if (policy === 'forbidden') return undefined
  return doubleSpendsOf(network, entry.known).every(({ feerate }) => entry.feerate > feerate)
    ? undefined
    : 'fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction'
}

function findDoubleSpend({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Violation {
  for (const { previousOutpoint } of transaction.inputs) {
    const spender = pool.spenderOf(previousOutpoint)
    if (spender !== undefined)
      return `output ${formatOutpoint(previousOutpoint)} already spent by transaction ${spender} in the mempool`
  }
  return undefined
}
