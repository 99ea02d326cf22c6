import { isCoinbase } from '../../../model/mass.js'
import { validateCounts, validateInIsolation } from '../../../model/transaction-rules/isolation.js'
import {
  validateLimits,
  validateMinimumFee,
  validateStandardOutputs,
  validateStorageMass,
} from '../../../model/transaction-rules/relay.js'
import { firstViolation, type Violation } from '../../../model/transaction-rules/violation.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { inclusionContextOf, type Network } from '../network.js'
import { validateCoinbase, validateCovenantIds, validateStandardInputs } from '../rules/transaction.js'
import { validateSequenceLocks, validateAmounts, validateMaturity, validateLockTime } from '../rules/spending.js'
import type { KnownTransaction } from '../transaction.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'
import { utxoOf } from '../utxo/entry.js'
import type { PoolEntry } from './pool.js'
import { validateReplacementFeerate, validateDoubleSpends, type RbfPolicy } from './replace-by-fee.js'

/** The mempool rules in the order of the node: the order decides which of several errors is reported. */

/** Rules that do not depend on the spent UTXOs. */
export function validateWithoutUtxos(network: Network, known: KnownTransaction, policy: RbfPolicy): Violation {
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
export function validateWithUtxos(network: Network, entry: PoolEntry, policy: RbfPolicy): Violation {
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
