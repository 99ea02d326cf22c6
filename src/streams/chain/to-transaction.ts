import { COINBASE_SUBNETWORK } from '../../model/transaction.js'
import type { Outpoint } from '../../model/utxo.js'
import type { RpcAcceptingBlock, RpcTransaction } from '../../node/messages/records.js'
import type { ChainInput, ChainOutput, ChainTransaction } from './batch.js'
import { malformed } from './header.js'

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]

/** The id of a transaction of `getVirtualChainFromBlockV2` at verbosity Low or above. */
export function idOf({ verboseData }: AcceptedRecord): string {
  const id = verboseData?.transactionId
  if (id === undefined) throw malformed('getVirtualChainFromBlockV2', 'a transaction has no id')
  return id
}

/** A transaction of `getVirtualChainFromBlockV2` at verbosity Full. */
export function toTransaction(record: AcceptedRecord): ChainTransaction {
  const inputs = record.inputs.map(toInput)
  const outputs = record.outputs.map(toOutput)
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
    fee: isCoinbase ? 0n : feeOf(inputs, outputs),
  }
}

/** A transaction of `getBlock`, which does not contain the spent outputs. */
export function toUnresolvedTransaction(id: string, transaction: RpcTransaction): ChainTransaction {
  const isCoinbase = transaction.subnetworkId === COINBASE_SUBNETWORK
  return {
    id,
    version: transaction.version,
    payload: transaction.payload,
    isCoinbase,
    storageMass: transaction.mass,
    computeMass: transaction.verboseData?.computeMass ?? 0n,
    inputs: transaction.inputs.map(({ previousOutpoint }) => ({
      outpoint: previousOutpoint,
      address: null,
      amount: null,
    })),
    outputs: transaction.outputs.map(({ value, scriptPublicKey, verboseData }, index) => ({
      index,
      address: verboseData?.scriptPublicKeyAddress ?? null,
      amount: value,
      scriptPublicKey,
    })),
    fee: isCoinbase ? 0n : null,
  }
}

function toInput({ previousOutpoint, verboseData }: AcceptedRecord['inputs'][number]): ChainInput {
  if (!isOutpoint(previousOutpoint)) throw malformed('getVirtualChainFromBlockV2', 'an input has no outpoint')
  const spent = verboseData?.utxoEntry
  return {
    outpoint: previousOutpoint, // not copied: a page has tens of thousands
    address: spent?.verboseData?.scriptPublicKeyAddress ?? null,
    amount: spent?.amount ?? null,
  }
}

const isOutpoint = (outpoint: AcceptedRecord['inputs'][number]['previousOutpoint']): outpoint is Outpoint =>
  outpoint?.transactionId !== undefined && outpoint.index !== undefined

function toOutput(
  { value, scriptPublicKey, verboseData }: AcceptedRecord['outputs'][number],
  index: number,
): ChainOutput {
  if (value === undefined || scriptPublicKey === undefined)
    throw malformed('getVirtualChainFromBlockV2', 'an output is incomplete')
  return { index, address: verboseData?.scriptPublicKeyAddress ?? null, amount: value, scriptPublicKey }
}

/** Null where an input's amount is unknown. */
function feeOf(inputs: readonly ChainInput[], outputs: readonly ChainOutput[]): bigint | null {
  let fee = 0n
  for (const { amount } of inputs) {
    if (amount === null) return null
    fee += amount
  }
  for (const { amount } of outputs) fee -= amount
  return fee
}
