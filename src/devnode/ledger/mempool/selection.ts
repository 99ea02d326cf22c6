import { findUtxos, validateInUtxoContext } from '../chain/acceptance.js'
import { validateLockTime } from '../rules/spending.js'
import type { KnownTransaction } from '../transaction.js'
import type { Network } from '../network.js'
import type { PoolEntry } from './pool.js'
import { MASS_LIMITS } from '../../../model/mass.js'
import { GAS_PER_LANE } from '../../../model/transaction-rules/relay.js'
import { LANES_PER_BLOCK } from '../params.js'

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

/** Remaining capacity of a block: three masses, lanes, and gas per lane. The native subnetwork counts as a lane. */
export class BlockCapacity {
  #compute = MASS_LIMITS.compute as bigint
  #transient = MASS_LIMITS.transient as bigint
  #storage = MASS_LIMITS.storage as bigint
  readonly #gas = new Map<string, bigint>()

  fits({ computeMass, transientMass, transaction }: KnownTransaction): boolean {
    return (
      computeMass <= this.#compute &&
      transientMass <= this.#transient &&
      transaction.mass <= this.#storage &&
      (this.#gas.size < LANES_PER_BLOCK || this.#gas.has(transaction.subnetworkId)) &&
      this.#gasOf(transaction.subnetworkId) + transaction.gas <= GAS_PER_LANE
    )
  }

  add(known: KnownTransaction): KnownTransaction {
    const { subnetworkId, gas, mass } = known.transaction
    this.#compute -= known.computeMass
    this.#transient -= known.transientMass
    this.#storage -= mass
    this.#gas.set(subnetworkId, this.#gasOf(subnetworkId) + gas)
    return known
  }

  #gasOf(lane: string): bigint {
    return this.#gas.get(lane) ?? 0n
  }
}
