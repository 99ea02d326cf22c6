import {
  computeMass,
  isCoinbase,
  storageMass,
  transientMass,
  type StoredOutput,
  MASS_LIMITS,
  MINIMUM_FEERATE,
} from '../mass.js'
import type { Transaction } from '../transaction.js'
import { validateCounts, validateInIsolation, validateRpcFields } from './isolation.js'
import { firstViolation, type Violation } from './violation.js'
import { addressVersionOf } from '../address.js'
import { MAX_SOMPI } from '../amount.js'

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

/** Standardness rules of the mempool. The order within each function is the node's. */

/** A transaction with its id and masses, computed once. */
interface MeasuredTransaction {
  readonly transaction: Transaction
  readonly id: string
  /** Grams. */
  readonly computeMass: bigint
  /** Grams. */
  readonly transientMass: bigint
}

/** Maximum gas of one lane in one block. */
export const GAS_PER_LANE = 1_000_000_000n

/** Block limits of gas and mass, checked before spent UTXOs are looked up. */
export function validateLimits({ transaction, computeMass, transientMass }: MeasuredTransaction): Violation {
  if (transaction.gas > GAS_PER_LANE)
    return `transaction gas of ${String(transaction.gas)} is larger than max allowed per-lane gas of ${String(GAS_PER_LANE)}`
  return (
    validateMass('compute mass', computeMass, MASS_LIMITS.compute) ??
    validateMass('transient (storage) mass', transientMass, MASS_LIMITS.transient)
  )
}

export const validateStorageMass = (mass: bigint): Violation => validateMass('storage mass', mass, MASS_LIMITS.storage)

const validateMass = (kind: string, mass: bigint, max: bigint): Violation =>
  mass > max ? `transaction ${kind} of ${String(mass)} is larger than max allowed size of ${String(max)}` : undefined

export function validateStandardOutputs({ transaction, id }: MeasuredTransaction): Violation {
  for (const [index, { scriptPublicKey }] of transaction.outputs.entries()) {
    const output = `transaction output #${String(index)}`
    if (scriptPublicKey.version > 0)
      return notStandard(id, `${output}: the version of the scriptPublicKey is higher than the known version`)
    if (addressVersionOf(scriptPublicKey) === undefined) return notStandard(id, `${output}: non-standard script form`)
  }
  return undefined
}

/** The minimum fee is charged for the larger of compute mass and half the transient mass. */
export function validateMinimumFee({ id, computeMass, transientMass }: MeasuredTransaction, fee: bigint): Violation {
  const normalizedMass = transientMass / 2n
  const mass = computeMass >= normalizedMass ? computeMass : normalizedMass
  const required = mass * MINIMUM_FEERATE > MAX_SOMPI ? MAX_SOMPI : mass * MINIMUM_FEERATE
  if (fee >= required) return undefined
  const measure =
    computeMass >= normalizedMass
      ? `compute mass ${String(computeMass)}`
      : `normalized transient mass ${String(normalizedMass)} (proportional to transaction byte size)`
  const reason = `transaction has ${String(fee)} fees which is under the required amount of ${String(required)} for ${measure}`
  return notStandard(id, reason)
}

/** The message of a node whose standardness rule a transaction violates. */
export const notStandard = (id: string, reason: string): string => `transaction ${id} is not standard: ${reason}`
