import { computeMass, isCoinbase, storageMass, transientMass } from '../mass.js'
import type { StoredOutput } from '../storage-mass.js'
import type { Transaction } from '../transaction.js'
import { validateCounts, validateInIsolation, validateRpcFields } from './isolation.js'
import { validateLimits, validateMinimumFee, validateStandardOutputs, validateStorageMass } from './standard.js'
import { firstViolation, type Violation } from './violation.js'

/** A signed transaction with its id. */
export interface RelayCandidate {
  readonly id: string
  readonly transaction: Transaction
  /** The outputs that the inputs spend, in their order, where they are known. */
  readonly spent?: readonly StoredOutput[] | undefined
}

/**
 * Why every node refuses a transaction, whatever its chain and mempool: the message of a node of 2.x, without the id in
 * front. Undefined where a node may take it. Storage mass and fee are checked where the spent outputs are known. A
 * signature script is required for every input; whether its signature is valid was verified where it was made or
 * restored.
 */
export function relayViolation({ id, transaction, spent }: RelayCandidate): Violation {
  return firstViolation([
    () => validateRpcFields(transaction),
    () => (isCoinbase(transaction) ? `coinbase transaction ${id} cannot be added to the mempool` : undefined),
    () => validateCounts(transaction),
    () => validateLimits(measured()),
    () => validateStandardOutputs(measured()),
    () => validateInIsolation(transaction),
    () => validateSigned(transaction),
    () => (spent === undefined ? undefined : validateStorageMass(storageMass(transaction, spent))),
    () => (spent === undefined ? undefined : validateMinimumFee(measured(), feeOf(transaction, spent))),
  ])

  function measured() {
    return { id, transaction, computeMass: computeMass(transaction), transientMass: transientMass(transaction) }
  }
}

/** An input without a signature script spends no standard output. */
function validateSigned({ inputs }: Transaction): Violation {
  const unsigned = inputs.findIndex(({ signatureScript }) => signatureScript === '')
  return unsigned === -1 ? undefined : `failed to verify the signature script: input #${unsigned} has none`
}

const feeOf = ({ outputs }: Transaction, spent: readonly StoredOutput[]): bigint =>
  spent.reduce((sum, { amount }) => sum + amount, 0n) - outputs.reduce((sum, { value }) => sum + value, 0n)
