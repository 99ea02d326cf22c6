import { MAX_SOMPI, isPossibleAmount } from '../../model/amount.js'
import { COINBASE_SUBNETWORK, type TransactionOutput } from '../../model/transaction.js'
import { MAX_OUTPUT_INDEX, type Outpoint, type ScriptPublicKey } from '../../model/utxo.js'
import type { RpcAcceptingBlock, RpcMethod, RpcTransaction } from '../../node/messages/records.js'
import type { ChainInput, ChainOutput, ChainTransaction } from './batch.js'
import { malformed } from '../../node/port.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

/**
 * The only place where a transaction of a node becomes a `ChainTransaction`. Amounts are within the supply, also in
 * sum, inputs pay for outputs and spend what a transaction can have; addresses are those of the scripts. Throws
 * `ChainRpcError` (`malformed`).
 */

const METHOD = 'getVirtualChainFromBlockV2'

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]

/** The id of a transaction of `getVirtualChainFromBlockV2` at verbosity Low or above. */
export function idOf({ verboseData }: AcceptedRecord): string {
  const id = verboseData?.transactionId
  if (id === undefined) throw malformed(METHOD, 'a transaction has no id')
  return id
}

/** A transaction of `getVirtualChainFromBlockV2` at verbosity Full. */
export function toTransaction(record: AcceptedRecord, addressOf: AddressOfScript): ChainTransaction {
  const inputs = record.inputs.map((input) => toInput(input, addressOf))
  const outputs = record.outputs.map(({ value, scriptPublicKey, covenant }, index) => {
    if (value === undefined || scriptPublicKey === undefined) throw malformed(METHOD, 'an output is incomplete')
    return toOutput(METHOD, index, { value, scriptPublicKey, covenant }, addressOf)
  })
  const isCoinbase = record.subnetworkId === COINBASE_SUBNETWORK
  return {
    id: idOf(record),
    version: record.version ?? 0,
    payload: record.payload ?? '',
    isCoinbase,
    storageMass: record.mass ?? 0n,
    computeMass: record.verboseData?.computeMass ?? 0n,
    inputs,
    outputs,
    fee: toFee(METHOD, isCoinbase, inputs, outputs),
  }
}

/** A transaction of `getBlock`, which does not contain the spent outputs. */
export function toUnresolvedTransaction(
  id: string,
  transaction: RpcTransaction,
  addressOf: AddressOfScript,
): ChainTransaction {
  const inputs = transaction.inputs.map(({ previousOutpoint: outpoint }) => {
    requireIndex('getBlock', outpoint)
    return { outpoint, address: null, amount: null }
  })
  const outputs = transaction.outputs.map((output, index) => toOutput('getBlock', index, output, addressOf))
  const isCoinbase = transaction.subnetworkId === COINBASE_SUBNETWORK
  return {
    id,
    version: transaction.version,
    payload: transaction.payload,
    isCoinbase,
    storageMass: transaction.mass,
    computeMass: transaction.verboseData?.computeMass ?? 0n,
    inputs,
    outputs,
    fee: toFee('getBlock', isCoinbase, inputs, outputs),
  }
}

function requireIndex(method: RpcMethod, { index }: Outpoint): void {
  if (index > MAX_OUTPUT_INDEX) throw malformed(method, 'an input spends an output that no transaction has')
}

function toInput(
  { previousOutpoint, verboseData }: AcceptedRecord['inputs'][number],
  addressOf: AddressOfScript,
): ChainInput {
  if (!isOutpoint(previousOutpoint)) throw malformed(METHOD, 'an input has no outpoint')
  requireIndex(METHOD, previousOutpoint)
  const spent = verboseData?.utxoEntry
  const outpoint = previousOutpoint // not copied: a page has tens of thousands
  if (spent?.amount === undefined) return { outpoint, address: null, amount: null }
  requireAmount(METHOD, spent.amount)
  const { amount, scriptPublicKey, covenantId } = spent
  return { outpoint, address: scriptPublicKey ? addressOf(scriptPublicKey) : null, amount, covenantId }
}

const isOutpoint = (outpoint: AcceptedRecord['inputs'][number]['previousOutpoint']): outpoint is Outpoint =>
  outpoint?.transactionId !== undefined && outpoint.index !== undefined

function toOutput(
  method: RpcMethod,
  index: number,
  { value: amount, scriptPublicKey, covenant }: TransactionOutput,
  addressOf: AddressOfScript,
): ChainOutput {
  requireAmount(method, amount)
  return { index, address: addressOf(scriptPublicKey), amount, scriptPublicKey, covenantId: covenant?.covenantId }
}

function requireAmount(method: RpcMethod, amount: bigint): void {
  if (!isPossibleAmount(amount)) throw malformed(method, 'an amount is out of range')
}

/** Inputs minus outputs, 0 for a coinbase; null where an input's amount is unknown. */
function toFee(
  method: RpcMethod,
  isCoinbase: boolean,
  inputs: readonly ChainInput[],
  outputs: readonly ChainOutput[],
): bigint | null {
  const created = sumOf(method, outputs)
  if (isCoinbase) return 0n
  if (inputs.some(({ amount }) => amount === null)) return null
  const fee = sumOf(method, inputs) - created
  if (fee < 0n) throw malformed(method, 'the outputs of a transaction exceed its inputs')
  return fee
}

function sumOf(method: RpcMethod, side: readonly { readonly amount: bigint | null }[]): bigint {
  let sum = 0n
  for (const { amount } of side) sum += amount ?? 0n
  if (sum > MAX_SOMPI) throw malformed(method, 'the amounts of a transaction exceed the supply')
  return sum
}

/** The address that a script pays to; null for a script without an address. */
export type AddressOfScript = (script: ScriptPublicKey) => string | null

/** Scripts whose addresses are remembered. */
const CAPACITY = 32_768

/**
 * The addresses of scripts, derived and remembered: encoding one takes longer than decoding its output, and most
 * scripts recur. A node states addresses as well, but what it states about a script may be wrong.
 */
export function createAddressOfScript(network: ChainNetwork): AddressOfScript {
  const { addressPrefix } = NETWORKS[network]
  const known = new Map<string, string | null>()
  return (scriptPublicKey) => {
    const { version, script } = scriptPublicKey
    if (version !== 0) return null
    const found = known.get(script)
    if (found !== undefined) return found
    const address = toAddress(scriptPublicKey, addressPrefix) ?? null
    if (known.size === CAPACITY) known.clear()
    known.set(script, address)
    return address
  }
}
