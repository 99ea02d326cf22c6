import { findUtxos, validateInUtxoContext } from '../chain/acceptance.js'
import { validateLockTime } from '../rules/spending.js'
import type { KnownTransaction } from '../transaction.js'
import type { Network } from '../network.js'
import type { PoolEntry } from './pool.js'
import { BlockCapacity } from '../rules/block-capacity.js'

/**
 * The mempool transactions of the next block: ready ones by descending feerate, within the block limits. Transactions
 * that are not valid yet (sequence locks) stay in the mempool. A node selects at random, weighted by feerate, if the
 * mempool exceeds a block; here the order is deterministic.
 */
export function selectTransactions(network: Network): readonly KnownTransaction[] {
  const capacity = new BlockCapacity()
  const candidates = [...network.mempool.pool.ready()].sort((left, right) => compareFeerate(right, left))
  return candidates.flatMap(({ known }) =>
    capacity.fits(known) && isValid(network, known) ? [capacity.add(known)] : [],
  )
}

/** Minimum, median and maximum fee per gram of storage mass in the next block template; -1 if it is empty. */
export function templateFeerates(network: Network): {
  readonly min: number
  readonly median: number
  readonly max: number
} {
  const entries = selectTransactions(network).map(({ id }) => network.mempool.pool.find(id))
  const feerates = entries.flatMap((entry) => (entry === undefined ? [] : [perStorageMass(entry)]))
  const [min = -1] = feerates.sort((left, right) => left - right)
  return { min, median: feerates[Math.floor(feerates.length / 2)] ?? -1, max: feerates.at(-1) ?? -1 }
}

/** By feerate, then fee, then id. */
function compareFeerate(left: PoolEntry, right: PoolEntry): number {
  if (left.feerate !== right.feerate) return left.feerate - right.feerate
  if (left.fee !== right.fee) return left.fee < right.fee ? -1 : 1
  return left.known.id < right.known.id ? -1 : 1
}

const perStorageMass = ({ fee, known }: PoolEntry): number => Number(fee) / Number(known.transaction.mass)

function isValid({ state }: Network, known: KnownTransaction): boolean {
  const { validation, virtual, utxos } = state
  const inclusion = { ...virtual.context, coinbaseMaturity: validation.coinbaseMaturity }
  if (validateLockTime(known.transaction, inclusion) !== undefined) return false
  const spent = findUtxos(known, utxos)
  return (
    spent !== undefined && validateInUtxoContext(known, spent, inclusion, validation.verificationCache) === undefined
  )
}
