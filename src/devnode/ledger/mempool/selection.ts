import { findCoins, objectToEffect } from '../chain/acceptance.js'
import { objectToLockTime } from '../rules/spending.js'
import type { KnownTransaction } from '../transaction.js'
import type { Network } from '../network.js'
import type { PoolEntry } from './pool.js'
import { Room } from '../rules/room.js'

/**
 * What the next block holds of the mempool: of those that wait for no other the best paying, as far as the block's limits
 * reach. One that is not good yet (its coin is too young) is left where it is. A node draws lots by fee rate where there is
 * more than fits; here the order is certain.
 */
export function selectTransactions(network: Network): readonly KnownTransaction[] {
  const room = new Room()
  const best = [...network.mempool.pool.ready()].sort((left, right) => comparePay(right, left))
  return best.flatMap(({ known }) => (room.fits(known) && isGood(network, known) ? [room.take(known)] : []))
}

/** The lowest, the middle and the highest fee per gram of storage mass among what the next block would hold, as the node reckons. */
export function nextFeerates(network: Network): {
  readonly min: number
  readonly median: number
  readonly max: number
} {
  const entries = selectTransactions(network).map(({ id }) => network.mempool.pool.find(id))
  const feerates = entries.flatMap((entry) => (entry === undefined ? [] : [perStorageMass(entry)]))
  const [min = -1] = feerates.sort((left, right) => left - right)
  return { min, median: feerates[Math.floor(feerates.length / 2)] ?? -1, max: feerates.at(-1) ?? -1 }
}

/** By fee rate, then by fee, then by id. */
function comparePay(left: PoolEntry, right: PoolEntry): number {
  if (left.feerate !== right.feerate) return left.feerate - right.feerate
  if (left.fee !== right.fee) return left.fee < right.fee ? -1 : 1
  return left.known.id < right.known.id ? -1 : 1
}

const perStorageMass = ({ fee, known }: PoolEntry): number => Number(fee) / Number(known.transaction.mass)

function isGood({ state }: Network, known: KnownTransaction): boolean {
  const { judge, virtual, coins } = state
  const from = { ...virtual.context, coinbaseMaturity: judge.coinbaseMaturity }
  if (objectToLockTime(known.transaction, from) !== undefined) return false
  const spent = findCoins(known, coins)
  return spent !== undefined && objectToEffect(known, spent, from, judge.verified) === undefined
}
