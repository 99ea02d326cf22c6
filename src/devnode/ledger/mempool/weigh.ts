import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { feeOf } from '../rules/spending.js'
import { withMass, type KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'

/** A transaction with what it costs and pays. The node reckons the storage mass itself, whatever the sender wrote. */
export function weigh(known: KnownTransaction, spent: readonly UtxoEntry[]): PoolEntry {
  const committed = withMass(known, storageMass(known.transaction, spent))
  const fee = feeOf(known.transaction, spent)
  const mass = greatestMass(committed)
  return { known: committed, spent, fee, mass, feerate: Number(fee) / Number(mass) }
}

/** The greatest of the three masses, each measured against what a block may hold of it. */
function greatestMass({ computeMass, transientMass, transaction }: KnownTransaction): bigint {
  const masses = [computeMass, transientMass / 2n, transaction.mass]
  return masses.reduce((greatest, mass) => (mass > greatest ? mass : greatest))
}
