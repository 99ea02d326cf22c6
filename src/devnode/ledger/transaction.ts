import { computeMass, transientMass } from '../../model/mass.js'
import type { Transaction, TransactionInput, TransactionOutput } from '../../model/transaction.js'
import { transactionHash, transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'

/** A transaction with what is asked of it again and again, computed once. */
export interface KnownTransaction {
  /** Bare: whatever verbose data a client sent is gone. */
  readonly transaction: Transaction
  readonly id: string
  /** With the mass that the transaction commits to. */
  readonly hash: string
  /** Grams. */
  readonly computeMass: bigint
  /** Grams. */
  readonly transientMass: bigint
}

/** A transaction that a chain block took effect of, with the coins it spent, by input. */
export interface AcceptedTransaction {
  readonly known: KnownTransaction
  readonly spent: readonly UtxoEntry[]
}

/** Computes what there is to know of a transaction as it came. */
export function know(transaction: Transaction): KnownTransaction {
  const bare = toBare(transaction)
  return {
    transaction: bare,
    id: transactionId(bare),
    hash: transactionHash(bare),
    computeMass: computeMass(bare),
    transientMass: transientMass(bare),
  }
}

/** The same transaction, committed to another storage mass: another hash, the same id. */
export function withMass(known: KnownTransaction, mass: bigint): KnownTransaction {
  if (known.transaction.mass === mass) return known
  const transaction = { ...known.transaction, mass }
  return { ...known, transaction, hash: transactionHash(transaction) }
}

/** Exactly the fields that the network knows, so that nothing a client sent along is kept or told on. */
function toBare({ version, inputs, outputs, lockTime, subnetworkId, gas, payload, mass }: Transaction): Transaction {
  return {
    version,
    inputs: inputs.map(toBareInput),
    outputs: outputs.map(toBareOutput),
    lockTime,
    subnetworkId,
    gas,
    payload,
    mass,
  }
}

function toBareInput(input: TransactionInput): TransactionInput {
  const { transactionId: id, index } = input.previousOutpoint
  const { signatureScript, sequence, sigOpCount, computeBudget = 0 } = input
  return { previousOutpoint: { transactionId: id, index }, signatureScript, sequence, sigOpCount, computeBudget }
}

function toBareOutput({ value, scriptPublicKey: { version, script }, covenant }: TransactionOutput): TransactionOutput {
  const scriptPublicKey = { version, script }
  return covenant === undefined ? { value, scriptPublicKey } : { value, scriptPublicKey, covenant }
}
