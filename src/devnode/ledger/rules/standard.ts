import { addressVersionOf } from '../../../model/address.js'
import { MASS_LIMITS, MINIMUM_FEERATE } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { GAS_PER_LANE, MAX_SOMPI } from '../params.js'
import { countSignatureOperations } from '../script/signature-operations.js'
import type { KnownTransaction } from '../transaction.js'
import type { Violation } from './violation.js'

/** Standardness rules of the mempool. The order within each function is the node's. */

/** Maximum signature operations of a redeem script. */
const MAX_SIGNATURE_OPERATIONS = 15

/** Block limits of gas and mass, checked before spent UTXOs are looked up. */
export function validateLimits({ transaction, computeMass, transientMass }: KnownTransaction): Violation {
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

export function validateStandardOutputs({ transaction, id }: KnownTransaction): Violation {
  for (const [index, { scriptPublicKey }] of transaction.outputs.entries()) {
    const output = `transaction output #${String(index)}`
    if (scriptPublicKey.version > 0)
      return notStandard(id, `${output}: the version of the scriptPublicKey is higher than the known version`)
    if (addressVersionOf(scriptPublicKey) === undefined) return notStandard(id, `${output}: non-standard script form`)
  }
  return undefined
}

export function validateStandardInputs({ transaction, id }: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const version = addressVersionOf(scriptPublicKey)
    if (version === undefined) return notStandard(id, `transaction input ${String(index)}: non-standard script form`)
    if (version !== 'ScriptHash') continue
    const count = countSignatureOperations(transaction.inputs[index]?.signatureScript ?? '')
    if (count > MAX_SIGNATURE_OPERATIONS)
      return notStandard(
        id,
        `transaction input #${String(index)} has ${String(count)} signature operations which is more than the allowed max ` +
          `amount of ${String(MAX_SIGNATURE_OPERATIONS)}`,
      )
  }
  return undefined
}

/** The minimum fee is charged for the larger of compute mass and half the transient mass. */
export function validateMinimumFee({ id, computeMass, transientMass }: KnownTransaction, fee: bigint): Violation {
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

const notStandard = (id: string, reason: string): string => `transaction ${id} is not standard: ${reason}`
