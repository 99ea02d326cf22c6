import { isCoinbase, MAX_INPUTS, MAX_OUTPUTS } from '../mass.js'
import { MAX_SOMPI } from '../amount.js'
import { COINBASE_SUBNETWORK, NATIVE_SUBNETWORK, type Transaction } from '../transaction.js'
import { toOutpointKey } from '../utxo.js'
import { firstViolation, type Violation } from './violation.js'

/** The newest transaction version whose ids and masses are known. */
const MAX_VERSION = 1

/** Context-free rules of transactions, in the node's order; `validateCoinbase` has those of a coinbase. */
export function validateInIsolation(
  transaction: Transaction,
  validateCoinbase: (transaction: Transaction) => Violation = () => undefined,
): Violation {
  return firstViolation([
    () => (!isCoinbase(transaction) && transaction.inputs.length === 0 ? 'transaction has no inputs' : undefined),
    () => validateCounts(transaction),
    () => validateCoinbase(transaction),
    () => validateOutputValues(transaction),
    () => validateUniqueInputs(transaction),
    () => validateGas(transaction),
    () => validateSubnetwork(transaction),
    () =>
      transaction.version > MAX_VERSION ? `transaction version ${String(transaction.version)} is unknown` : undefined,
    () => validateCovenantVersion(transaction),
  ])
}

/** Limits the number of inputs and outputs. Also checked before masses are computed. */
export function validateCounts(transaction: Transaction): Violation {
  const { inputs, outputs } = transaction
  if (isCoinbase(transaction)) return undefined
  return validateCount(inputs.length, 'inputs', MAX_INPUTS) ?? validateCount(outputs.length, 'outputs', MAX_OUTPUTS)
}

/** Checked by the RPC layer of a node; the message has no transaction id. */
export function validateRpcFields({ version, inputs }: Transaction): Violation {
  const isWrong =
    version === 0
      ? inputs.some(({ computeBudget = 0 }) => computeBudget > 0)
      : inputs.some(({ sigOpCount }) => sigOpCount > 0)
  const field = version === 0 ? 'compute_budget' : 'sig_op_count'
  return isWrong
    ? `RpcTransactionInput.${field} is inconsistent with transaction version ${String(version)}`
    : undefined
}

const validateCount = (count: number, what: string, max: number): Violation =>
  count > max ? `transaction has ${String(count)} ${what} where the max allowed is ${String(max)}` : undefined

function validateOutputValues({ outputs }: Transaction): Violation {
  let total = 0n
  for (const [index, { value }] of outputs.entries()) {
    if (value === 0n) return `transaction output ${String(index)} has zero value`
    if (value > MAX_SOMPI)
      return `transaction output ${String(index)} value is higher than the max allowed of ${String(MAX_SOMPI)}`
    total += value
    if (total > MAX_SOMPI)
      return `transaction total outputs value is higher than the max allowed of ${String(MAX_SOMPI)}`
  }
  return undefined
}

function validateUniqueInputs({ inputs }: Transaction): Violation {
  const outpoints = new Set(inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  return outpoints.size < inputs.length ? 'transaction has duplicate inputs' : undefined
}

function validateGas({ gas, version, subnetworkId }: Transaction): Violation {
  if (gas === 0n) return undefined
  if (version < 1) return 'transaction has non-zero gas: gas is only allowed for Toccata-or-newer tx versions'
  return isSystemSubnetwork(subnetworkId)
    ? 'transaction has non-zero gas: native / system subnetworks must use zero gas'
    : undefined
}

function validateSubnetwork({ subnetworkId, version }: Transaction): Violation {
  if (subnetworkId === NATIVE_SUBNETWORK || subnetworkId === COINBASE_SUBNETWORK) return undefined
  const isLane = version > 0 && !isSystemSubnetwork(subnetworkId) && subnetworkId.endsWith('0'.repeat(32))
  return isLane ? undefined : `transaction subnetwork id ${subnetworkId} is neither native nor coinbase`
}

/** Subnetwork ids of one byte and 19 zeros are reserved; two are in use. */
const isSystemSubnetwork = (subnetworkId: string): boolean => subnetworkId.endsWith('0'.repeat(38))

function validateCovenantVersion({ version, outputs }: Transaction): Violation {
  const bound = version > 0 ? -1 : outputs.findIndex(({ covenant }) => covenant !== undefined)
  return bound === -1
    ? undefined
    : `transaction output #${String(bound)} has covenant field but transaction version is 0`
}
