import { addressVersionOf } from '../../../model/address.js'
import { MASS_LIMITS, MINIMUM_FEERATE } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { GAS_PER_LANE, MAX_SOMPI } from '../params.js'
import { countSignatureOperations } from '../script/signature-operations.js'
import type { KnownTransaction } from '../transaction.js'
import type { Objection } from './objection.js'

/** What the mempool asks beyond what a block may hold. The order within each function is the node's. */

/** The most signature operations of a redeem script. */
const MAX_SIGNATURE_OPERATIONS = 15

/** A transaction that no block could hold is not taken, even before its coins are looked at. */
export function objectToLimits({ transaction, computeMass, transientMass }: KnownTransaction): Objection {
  if (transaction.gas > GAS_PER_LANE)
    return `transaction gas of ${String(transaction.gas)} is larger than max allowed per-lane gas of ${String(GAS_PER_LANE)}`
  return (
    objectToMass('compute mass', computeMass, MASS_LIMITS.compute) ??
    objectToMass('transient (storage) mass', transientMass, MASS_LIMITS.transient)
  )
}

export const objectToStorageMass = (mass: bigint): Objection => objectToMass('storage mass', mass, MASS_LIMITS.storage)

const objectToMass = (kind: string, mass: bigint, most: bigint): Objection =>
  mass > most ? `transaction ${kind} of ${String(mass)} is larger than max allowed size of ${String(most)}` : undefined

export function objectToOutputs({ transaction, id }: KnownTransaction): Objection {
  for (const [index, { scriptPublicKey }] of transaction.outputs.entries()) {
    const output = `transaction output #${String(index)}`
    if (scriptPublicKey.version > 0)
      return notStandard(id, `${output}: the version of the scriptPublicKey is higher than the known version`)
    if (addressVersionOf(scriptPublicKey) === undefined) return notStandard(id, `${output}: non-standard script form`)
  }
  return undefined
}

export function objectToInputs({ transaction, id }: KnownTransaction, spent: readonly UtxoEntry[]): Objection {
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

/** Whether the fee pays for whichever is more: verifying the transaction, or twice its bytes. */
export function objectToFee({ id, computeMass, transientMass }: KnownTransaction, fee: bigint): Objection {
  const bytes = transientMass / 2n
  const mass = computeMass >= bytes ? computeMass : bytes
  const required = mass * MINIMUM_FEERATE > MAX_SOMPI ? MAX_SOMPI : mass * MINIMUM_FEERATE
  if (fee >= required) return undefined
  const measure =
    computeMass >= bytes
      ? `compute mass ${String(computeMass)}`
      : `normalized transient mass ${String(bytes)} (proportional to transaction byte size)`
  const words = `transaction has ${String(fee)} fees which is under the required amount of ${String(required)} for ${measure}`
  return notStandard(id, words)
}

const notStandard = (id: string, reason: string): string => `transaction ${id} is not standard: ${reason}`
