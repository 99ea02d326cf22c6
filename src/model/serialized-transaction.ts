import type { Transaction, TransactionInput, TransactionOutput } from './transaction.js'
import { transactionId } from './transaction-id.js'

/** A JSON-serializable transaction: the node's field names, u64 as decimal strings. */
export interface SerializedTransaction {
  readonly id: string
  readonly version: number
  readonly inputs: readonly SerializedInput[]
  readonly outputs: readonly SerializedOutput[]
  readonly lockTime: string
  readonly subnetworkId: string
  readonly gas: string
  readonly payload: string
  readonly mass: string
}

export type SerializedInput = Omit<TransactionInput, 'sequence'> & { readonly sequence: string }

export type SerializedOutput = Omit<TransactionOutput, 'value'> & { readonly value: string }

/** A u64 in any form that `submitTransaction` accepts. */
type Integer = bigint | number | string

/** A transaction whose u64 fields may be bigint, number or decimal string. */
export interface TransactionLike {
  readonly version: number
  readonly inputs: readonly (Omit<TransactionInput, 'sequence'> & { readonly sequence: Integer })[]
  readonly outputs: readonly (Omit<TransactionOutput, 'value'> & { readonly value: Integer })[]
  readonly lockTime: Integer
  readonly subnetworkId: string
  readonly gas: Integer
  readonly payload: string
  readonly mass: Integer
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
