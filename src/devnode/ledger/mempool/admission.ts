import { validateRpcFields } from '../../../model/transaction-rules/isolation.js'
import type { Transaction } from '../../../model/transaction.js'
import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { Network } from '../network.js'
import { toKnownTransaction, withMass, type KnownTransaction } from '../transaction.js'
import { feeOf } from '../rules/spending.js'
import { validateWithoutUtxos, validateWithUtxos, findSpentUtxos } from './validation.js'
import type { PoolEntry } from './pool.js'
import { doubleSpendsOf, type RbfPolicy } from './replace-by-fee.js'

interface AdmissionPolicy {
  readonly rbf: RbfPolicy
  readonly missingUtxo: 'reject' | 'keep-as-orphan'
}

export type Admission =
  | { readonly kind: 'admitted'; readonly id: string; readonly replaced: KnownTransaction | undefined }
  | { readonly kind: 'orphaned'; readonly id: string }
  /** The node's error message. */
  | { readonly kind: 'rejected'; readonly message: string }

/** Validates a transaction as `submitTransaction` does, and adds it to the mempool. */
export function admit(network: Network, transaction: Transaction, policy: AdmissionPolicy): Admission {
  const rpcViolation = validateRpcFields(transaction)
  if (rpcViolation !== undefined) return { kind: 'rejected', message: rpcViolation }
  const known = toKnownTransaction(transaction)
  const contextFree = validateWithoutUtxos(network, known, policy.rbf)
  if (contextFree !== undefined) return reject(known, contextFree)
  const spent = findSpentUtxos(network, known)
  if (spent === undefined) return admitOrphan(network, known, policy)
  const entry = toPoolEntry(known, spent)
  const violation = validateWithUtxos(network, entry, policy.rbf)
  if (violation === undefined) return addToPool(network, entry)
  if (isOfScript(violation)) network.refusals.add(entry)
  return reject(known, violation)
}

const isOfScript = (violation: string): boolean => violation.startsWith('failed to verify')

/** Validates the orphans that spend from `parent` again: valid ones enter the mempool, others are dropped. */
export function promoteOrphans(network: Network, parent: KnownTransaction): void {
  for (const orphan of network.mempool.orphans.childrenOf(parent)) {
    if (findSpentUtxos(network, orphan) === undefined) continue
    network.mempool.orphans.remove(orphan.id)
    admit(network, orphan.transaction, { rbf: 'forbidden', missingUtxo: 'reject' })
  }
}

const reject = ({ id }: KnownTransaction, reason: string): Admission => ({
  kind: 'rejected',
  message: `Rejected transaction ${id}: ${reason}`,
})

function admitOrphan({ mempool }: Network, known: KnownTransaction, { missingUtxo }: AdmissionPolicy): Admission {
  if (missingUtxo === 'reject') return reject(known, `transaction ${known.id} is an orphan where orphan is disallowed`)
  const violation = mempool.orphans.validate(known)
  if (violation !== undefined) return reject(known, violation)
  mempool.orphans.add(known)
  return { kind: 'orphaned', id: known.id }
}

function addToPool(network: Network, entry: PoolEntry): Admission {
  const { pool } = network.mempool
  const [replaced] = doubleSpendsOf(network, entry.known)
  if (replaced !== undefined) pool.removeWithDescendants(replaced.known.id)
  pool.add(entry)
  promoteOrphans(network, entry.known)
  return { kind: 'admitted', id: entry.known.id, replaced: replaced?.known }
}

/** Computes fee and mass. The node computes the storage mass itself and ignores the sender's value. */
function toPoolEntry(known: KnownTransaction, spent: readonly UtxoEntry[]): PoolEntry {
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
