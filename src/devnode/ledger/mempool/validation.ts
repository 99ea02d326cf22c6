import { isCoinbase } from '../../../model/mass.js'
import { validateCounts, validateInIsolation } from '../../../model/transaction-rules/isolation.js'
import {
  validateLimits,
  validateMinimumFee,
  validateStandardOutputs,
  validateStorageMass,
} from '../../../model/transaction-rules/standard.js'
import { inclusionContextOf, type Network } from '../network.js'
import { validateCoinbase } from '../rules/coinbase.js'
import { validateCovenantIds } from '../rules/covenants.js'
import { firstViolation, type Violation } from '../../../model/transaction-rules/violation.js'
import { validateSequenceLocks, validateAmounts, validateMaturity, validateLockTime } from '../rules/spending.js'
import { validateStandardInputs } from '../rules/standard-inputs.js'
import type { KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'
import { validateReplacementFeerate, validateDoubleSpends, type RbfPolicy } from './replace-by-fee.js'
import { validateOutpoints } from './spent.js'

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
