import { MASS_LIMITS } from '../../../model/mass.js'
import { GAS_PER_LANE } from '../../../model/transaction-rules/relay.js'
import { LANES_PER_BLOCK } from '../params.js'
import type { KnownTransaction } from '../transaction.js'

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
