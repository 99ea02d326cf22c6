import type { Transaction, TransactionInput, TransactionOutput } from './transaction.js'
import { transactionId } from './transaction-id.js'

/** A transaction as JSON can carry it: the names are the node's, u64 are decimal strings. */
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

/** Either form of a u64: what a caller of `submitTransaction` may hand in. */
type Integer = bigint | number | string

/** A transaction in which each u64 may be written either way, and what has a usual value may be absent. */
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

/** The way back; a transaction that is one already comes out the same. Whatever else a record carries is left behind. */
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
