import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { feeOf } from '../rules/spending.js'
import { withMass, type KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'

/** Computes fee and mass. The node computes the storage mass itself and ignores the sender's value. */
export function toPoolEntry(known: KnownTransaction, spent: readonly UtxoEntry[]): PoolEntry {
  const committed = withMass(known, storageMass(known.transaction, spent))
  const fee = feeOf(known.transaction, spent)
  const mass = maximumMass(committed)
  return { known: committed, spent, fee, mass, feerate: Number(fee) / Number(mass) }
}

/** The maximum of the three masses, each normalized to its block limit. */
function maximumMass({ computeMass, transientMass, transaction }: KnownTransaction): bigint {
  const masses = [computeMass, transientMass / 2n, transaction.mass]
  return masses.reduce((maximum, mass) => (mass > maximum ? mass : maximum))
}
