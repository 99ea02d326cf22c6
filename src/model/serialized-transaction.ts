import type { SerializedTransaction } from '../errors/serialized-transaction.js'
import type { Transaction, TransactionInput, TransactionOutput } from './transaction.js'
import { transactionId } from './transaction-id.js'

/** With the errors, which carry signed payments. */
export type { RestoreRecord, SerializedCall, SerializedTransaction } from '../errors/serialized-transaction.js'

/** A transaction whose u64 fields may be bigint, number or decimal string. */
export interface TransactionLike {
  readonly version: number
  readonly inputs: readonly (Omit<TransactionInput, 'sequence'> & { readonly sequence: bigint | number | string })[]
  readonly outputs: readonly (Omit<TransactionOutput, 'value'> & { readonly value: bigint | number | string })[]
  readonly lockTime: bigint | number | string
  readonly subnetworkId: string
  readonly gas: bigint | number | string
  readonly payload: string
  readonly mass: bigint | number | string
}

export function serializeTransaction(transaction: Transaction): SerializedTransaction {
  return {
    id: transactionId(transaction),
    version: transaction.version,
    inputs: transaction.inputs.map((input) => ({ ...input, sequence: input.sequence.toString() })),
    outputs: transaction.outputs.map((output) => ({ ...output, value: output.value.toString() })),
    lockTime: transaction.lockTime.toString(),
    subnetworkId: transaction.subnetworkId,
    gas: transaction.gas.toString(),
    payload: transaction.payload,
    mass: transaction.mass.toString(),
  }
}

/** Parses a serialized transaction; accepts a `Transaction` too. Drops other fields. */
export function toTransaction(like: TransactionLike): Transaction {
  return {
    version: like.version,
    inputs: like.inputs.map((input) => ({ ...input, sequence: BigInt(input.sequence) })),
    outputs: like.outputs.map((output) => ({ ...output, value: BigInt(output.value) })),
    lockTime: BigInt(like.lockTime),
    subnetworkId: like.subnetworkId,
    gas: BigInt(like.gas),
    payload: like.payload,
    mass: BigInt(like.mass),
  }
}
