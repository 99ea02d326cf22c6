import { isCoinbase, MAX_INPUTS, MAX_OUTPUTS } from '../../../model/mass.js'
import { COINBASE_SUBNETWORK, NATIVE_SUBNETWORK, type Transaction } from '../../../model/transaction.js'
import { toOutpointKey } from '../../../model/utxo.js'
import { GHOSTDAG_K, MAX_COINBASE_SCRIPT, MAX_SOMPI } from '../params.js'
import { firstObjection, type Objection } from './objection.js'

/** What every transaction must be, whatever else there is. The order is the node's. */
export function objectInIsolation(transaction: Transaction): Objection {
  return firstObjection([
    () => (!isCoinbase(transaction) && transaction.inputs.length === 0 ? 'transaction has no inputs' : undefined),
    () => objectToCounts(transaction),
    () => objectToCoinbase(transaction),
    () => objectToValues(transaction),
    () => objectToDuplicates(transaction),
    () => objectToGas(transaction),
    () => objectToSubnetwork(transaction),
    () => (transaction.version > 1 ? `transaction version ${String(transaction.version)} is unknown` : undefined),
    () => objectToCovenants(transaction),
  ])
}

/** No more inputs and outputs than may be; asked before masses are reckoned, too. */
export function objectToCounts(transaction: Transaction): Objection {
  const { inputs, outputs } = transaction
  if (isCoinbase(transaction)) return undefined
  return objectToSize(inputs.length, 'inputs', MAX_INPUTS) ?? objectToSize(outputs.length, 'outputs', MAX_OUTPUTS)
}

const objectToSize = (count: number, what: string, most: number): Objection =>
  count > most ? `transaction has ${String(count)} ${what} where the max allowed is ${String(most)}` : undefined

function objectToCoinbase(transaction: Transaction): Objection {
  if (!isCoinbase(transaction)) return undefined
  const { inputs, outputs, mass } = transaction
  if (inputs.length > 0) return `coinbase transaction has ${String(inputs.length)} inputs while none are expected`
  if (mass > 0n) return 'coinbase mass commitment field is not zero'
  const most = GHOSTDAG_K + 2
  if (outputs.length > most)
    return `coinbase transaction has ${String(outputs.length)} outputs while at most ${String(most)} are expected`
  const long = outputs.findIndex(({ scriptPublicKey }) => scriptPublicKey.script.length > 2 * MAX_COINBASE_SCRIPT)
  return long === -1 ? undefined : `script public key of coinbase output #${String(long)} is too long`
}

function objectToValues({ outputs }: Transaction): Objection {
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

function objectToDuplicates({ inputs }: Transaction): Objection {
  const outpoints = new Set(inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  return outpoints.size < inputs.length ? 'transaction has duplicate inputs' : undefined
}

function objectToGas({ gas, version, subnetworkId }: Transaction): Objection {
  if (gas === 0n) return undefined
  if (version < 1) return 'transaction has non-zero gas: gas is only allowed for Toccata-or-newer tx versions'
  return isSystemSubnetwork(subnetworkId)
    ? 'transaction has non-zero gas: native / system subnetworks must use zero gas'
    : undefined
}

function objectToSubnetwork({ subnetworkId, version }: Transaction): Objection {
  if (subnetworkId === NATIVE_SUBNETWORK || subnetworkId === COINBASE_SUBNETWORK) return undefined
  const isLane = version > 0 && !isSystemSubnetwork(subnetworkId) && subnetworkId.endsWith('0'.repeat(32))
  return isLane ? undefined : `transaction subnetwork id ${subnetworkId} is neither native nor coinbase`
}

/** One byte and 19 zeros: the network's own, of which it uses two. */
const isSystemSubnetwork = (subnetworkId: string): boolean => subnetworkId.endsWith('0'.repeat(38))

function objectToCovenants({ version, outputs }: Transaction): Objection {
  const bound = version > 0 ? -1 : outputs.findIndex(({ covenant }) => covenant !== undefined)
  return bound === -1
    ? undefined
    : `transaction output #${String(bound)} has covenant field but transaction version is 0`
}
