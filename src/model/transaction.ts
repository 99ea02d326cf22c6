import type { Outpoint, ScriptPublicKey } from './utxo.js'

/**
 * An input. Version 0 counts signature operations in `sigOpCount`, version 1 commits to `computeBudget` (units of 100
 * grams).
 */
export interface TransactionInput {
  readonly previousOutpoint: Outpoint
  /** Hex; empty while unsigned. */
  readonly signatureScript: string
  readonly sequence: bigint
  readonly sigOpCount: number
  readonly computeBudget?: number | undefined
}

/** The covenant binding of an output of a version-1 transaction. */
export interface CovenantBinding {
  readonly authorizingInput: number
  readonly covenantId: string
}

export interface TransactionOutput {
  /** Sompi. */
  readonly value: bigint
  readonly scriptPublicKey: ScriptPublicKey
  readonly covenant?: CovenantBinding | undefined
}

/** The hashed fields of a transaction; wire records add verbose data. */
export interface Transaction {
  readonly version: number
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
  readonly lockTime: bigint
  /** 40 hex digits; 40 zeros is the native subnetwork. */
  readonly subnetworkId: string
  readonly gas: bigint
  /** Hex. */
  readonly payload: string
  /**
   * The storage mass the transaction commits to, in grams; a node computes it itself on submission. Not part of the id.
   */
  readonly mass: bigint
}

/** A transaction; what is left out is as in a payment: version 0, native, without lock time, payload, gas and mass. */
export const createTransaction = (
  fields: Pick<Transaction, 'inputs' | 'outputs'> & Partial<Transaction>,
): Transaction => ({
  version: 0,
  lockTime: 0n,
  subnetworkId: NATIVE_SUBNETWORK,
  gas: 0n,
  payload: '',
  mass: 0n,
  ...fields,
})

/** The subnetwork of ordinary transactions. */
export const NATIVE_SUBNETWORK = '0000000000000000000000000000000000000000'

/** The subnetwork of coinbase transactions. */
export const COINBASE_SUBNETWORK = '0100000000000000000000000000000000000000'

/** Lock times below are DAA scores, others unix milliseconds. */
export const LOCK_TIME_THRESHOLD = 500_000_000_000n

/** The sequence of an input for which the lock time of its transaction does not count. */
export const MAX_SEQUENCE: bigint = 2n ** 64n - 1n

/** The bit of a sequence that switches its relative lock off. */
export const SEQUENCE_LOCK_DISABLED: bigint = 1n << 63n

/** The bits of a sequence that hold the relative lock, in DAA score. */
export const SEQUENCE_LOCK_MASK = 0xffff_ffffn
