import { computeMass, transientMass, isCoinbase } from '../../model/mass.js'
import type { Transaction, TransactionInput, TransactionOutput } from '../../model/transaction.js'
import { transactionHash, transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Addresses } from './utxo-set.js'

/** A transaction with its id, hash and masses, computed once. */
export interface KnownTransaction {
  /** Consensus fields only, without verbose data. */
  readonly transaction: Transaction
  readonly id: string
  /** Covers the committed storage mass. */
  readonly hash: string
  /** Grams. */
  readonly computeMass: bigint
  /** Grams. */
  readonly transientMass: bigint
}

/** A transaction accepted by a chain block, with the spent UTXOs by input. */
export interface AcceptedTransaction {
  readonly known: KnownTransaction
  readonly spent: readonly UtxoEntry[]
}

export function toKnownTransaction(transaction: Transaction): KnownTransaction {
  const fields = pickFields(transaction)
  return {
    transaction: fields,
    id: transactionId(fields),
    hash: transactionHash(fields),
    computeMass: computeMass(fields),
    transientMass: transientMass(fields),
  }
}

/** The same transaction with another committed storage mass: the hash changes, the id does not. */
export function withMass(known: KnownTransaction, mass: bigint): KnownTransaction {
  if (known.transaction.mass === mass) return known
  const transaction = { ...known.transaction, mass }
  return { ...known, transaction, hash: transactionHash(transaction) }
}

/** Copies consensus fields only, so that unknown fields of a request are neither stored nor sent to other clients. */
function pickFields({
  version,
  inputs,
  outputs,
  lockTime,
  subnetworkId,
  gas,
  payload,
  mass,
}: Transaction): Transaction {
  return {
    version,
    inputs: inputs.map(pickInputFields),
    outputs: outputs.map(pickOutputFields),
    lockTime,
    subnetworkId,
    gas,
    payload,
    mass,
  }
}

function pickInputFields(input: TransactionInput): TransactionInput {
  const { transactionId: id, index } = input.previousOutpoint
  const { signatureScript, sequence, sigOpCount, computeBudget = 0 } = input
  return { previousOutpoint: { transactionId: id, index }, signatureScript, sequence, sigOpCount, computeBudget }
}

function pickOutputFields({
  value,
  scriptPublicKey: { version, script },
  covenant,
}: TransactionOutput): TransactionOutput {
  const scriptPublicKey = { version, script }
  return covenant === undefined ? { value, scriptPublicKey } : { value, scriptPublicKey, covenant }
}

/** UTXOs created by a transaction accepted at `blockDaaScore`. */
export function utxosOf(known: KnownTransaction, blockDaaScore: bigint, addresses: Addresses): readonly UtxoEntry[] {
  return known.transaction.outputs.map((_, index) => utxoOf(known, index, blockDaaScore, addresses))
}

/** The UTXO of one output. Throws `RangeError` for an `index` without an output. */
export function utxoOf(
  { transaction, id }: KnownTransaction,
  index: number,
  blockDaaScore: bigint,
  addresses: Addresses,
): UtxoEntry {
  const output = transaction.outputs[index]
  if (output === undefined) throw new RangeError(`Transaction ${id} has no output ${String(index)}`)
  const { value, scriptPublicKey, covenant } = output
  return {
    address: addresses.of(scriptPublicKey),
    outpoint: { transactionId: id, index },
    amount: value,
    scriptPublicKey,
    blockDaaScore,
    isCoinbase: isCoinbase(transaction),
    ...(covenant && { covenantId: covenant.covenantId }),
  }
}
