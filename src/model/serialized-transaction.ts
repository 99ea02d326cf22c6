import type { ChainNetwork } from './network.js'
import type { Transaction, TransactionInput, TransactionOutput } from './transaction.js'
import { transactionId } from './transaction-id.js'
import type { ScriptPublicKey } from './utxo.js'

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
  /** What `restore()` needs. Nodes and indexers ignore it. */
  readonly restore?: RestoreRecord | undefined
}

/** What `restore()` needs beside a transaction. */
export interface RestoreRecord {
  /** The version of this record. */
  readonly version: number
  readonly network: ChainNetwork
  /** The spent outputs, in the order of the inputs; `amount` in sompi. */
  readonly spent: readonly { readonly amount: string; readonly scriptPublicKey: ScriptPublicKey }[]
  /** The id of the payment that it replaces. */
  readonly replaces?: string | undefined
  /** The sink from before it was first submitted: the transaction is looked up from there. */
  readonly lookupStart?: string | undefined
  /** The script that gets the change, by which `followTransfers` recognises it. */
  readonly change?: ScriptPublicKey | undefined
  /** BLAKE2b-256 of the transaction and the fields above, hex: detects changes by accident. */
  readonly checksum: string
}

export type SerializedInput = Omit<TransactionInput, 'sequence'> & { readonly sequence: string }

export type SerializedOutput = Omit<TransactionOutput, 'value'> & { readonly value: string }

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
