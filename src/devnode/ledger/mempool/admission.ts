import { validateRpcFields, validateCounts, validateInIsolation } from '../../../model/transaction-rules/isolation.js'
import type { Transaction } from '../../../model/transaction.js'
import { storageMass, isCoinbase } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { type Network, inclusionContextOf } from '../network.js'
import { toKnownTransaction, withMass, type KnownTransaction, utxoOf } from '../transaction.js'
import {
  feeOf,
  validateCoinbase,
  validateCovenantIds,
  validateStandardInputs,
  validateSequenceLocks,
  validateAmounts,
  validateMaturity,
  validateLockTime,
} from '../rules/spending.js'
import type { PoolEntry } from './pool.js'
import {
  validateLimits,
  validateMinimumFee,
  validateStandardOutputs,
  validateStorageMass,
} from '../../../model/transaction-rules/relay.js'
import { firstViolation, type Violation, formatOutpoint } from '../../../model/transaction-rules/violation.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'

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

/** The mempool rules in the order of the node: the order decides which of several errors is reported. */

/** Rules that do not depend on the spent UTXOs. */
function validateWithoutUtxos(network: Network, known: KnownTransaction, policy: RbfPolicy): Violation {
  const { id, transaction } = known
  const { pool, included } = network.mempool
  const inclusion = inclusionContextOf(network)
  return firstViolation([
    () => (isCoinbase(transaction) ? `coinbase transaction ${id} cannot be added to the mempool` : undefined),
    () =>
      included.has(id, inclusion.daaScore) ? `transaction ${id} was already accepted by the consensus` : undefined,
    () => (pool.find(id) === undefined ? undefined : `transaction ${id} is already in the mempool`),
    () => validateCounts(transaction),
    () => validateLimits(known),
    () => validateStandardOutputs(known),
    () => validateDoubleSpends(network, known, policy),
    () => validateOutpoints(network, known),
    () => validateInIsolation(transaction, validateCoinbase),
    () => validateLockTime(transaction, inclusion),
  ])
}

/**
 * Rules that depend on the spent UTXOs. The fee is validated last, so an invalid signature is reported before a low
 * fee.
 */
function validateWithUtxos(network: Network, entry: PoolEntry, policy: RbfPolicy): Violation {
  const { known, spent, fee } = entry
  const inclusion = inclusionContextOf(network)
  return firstViolation([
    () => validateMaturity(spent, inclusion),
    () => validateAmounts(known.transaction, spent),
    () => validateSequenceLocks(known.transaction, spent, inclusion),
    () => validateReplacementFeerate(network, entry, policy),
    () => validateCovenantIds(known.transaction, spent),
    () => network.state.validation.verificationCache.validate(known, spent),
    () => validateStorageMass(known.transaction.mass),
    () => validateStandardInputs(known, spent),
    () => validateMinimumFee(known, fee),
  ])
}

/** Spent UTXOs by input, including outputs of mempool transactions; undefined if one is missing. */
export function findSpentUtxos(network: Network, { transaction }: KnownTransaction): readonly UtxoEntry[] | undefined {
  const { state, mempool } = network
  const spent = transaction.inputs.map(({ previousOutpoint }) => {
    const { transactionId, index } = previousOutpoint
    const parent = mempool.pool.find(transactionId)?.known
    if (parent === undefined) return state.utxos.get(previousOutpoint)
    if (index >= parent.transaction.outputs.length) return undefined
    return utxoOf(parent, index, UNACCEPTED_DAA_SCORE, state.validation.addresses)
  })
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

/** Rejects an outpoint whose index is beyond the outputs of its mempool transaction. */
function validateOutpoints({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Violation {
  const isImpossible = transaction.inputs.some(({ previousOutpoint: { transactionId, index } }) => {
    const parent = pool.find(transactionId)
    return parent !== undefined && index >= parent.known.transaction.outputs.length
  })
  return isImpossible
    ? 'at least one outpoint of the transaction is impossible to have a matching UTXO entry'
    : undefined
}

/** Whether a transaction must not, or must, replace a double spend in the mempool. */
type RbfPolicy = 'forbidden' | 'required'

/** Mempool transactions that spend a UTXO of this one. */
function doubleSpendsOf({ mempool: { pool } }: Network, { transaction }: KnownTransaction): readonly PoolEntry[] {
  const ids = transaction.inputs.map(({ previousOutpoint }) => pool.spenderOf(previousOutpoint))
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (pool.find(id) ?? [])))
}

/** A replacement must have exactly one double spend in the mempool, any other transaction none. */
function validateDoubleSpends(network: Network, known: KnownTransaction, policy: RbfPolicy): Violation {
  if (policy === 'forbidden') return findDoubleSpend(network, known)
  const { length } = doubleSpendsOf(network, known)
  if (length === 1) return undefined
  return length === 0
    ? 'replace by fee found no double spending transaction in the mempool'
    : 'replace by fee found more than one double spending transaction in the mempool'
}

/** A replacement must have a higher feerate, by any amount. */
function validateReplacementFeerate(network: Network, entry: PoolEntry, policy: RbfPolicy): Violation {
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
