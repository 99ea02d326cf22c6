import { invalidArgument, type ChainError } from '../errors/chain-error.js'
import { addressVersionOf } from './address.js'
import { MAX_SOMPI } from './amount.js'
import { blake2b256 } from './hashing.js'
import { isHex, toHex } from './hex.js'
import type { ChainNetwork } from './network.js'
import {
  serializeTransaction,
  toTransaction,
  type RestoreRecord,
  type SerializedCall,
  type SerializedTransaction,
  type TransactionLike,
} from './serialized-transaction.js'
import type { SpentOutput } from './sighash.js'
import { NATIVE_SUBNETWORK, type Transaction, type TransactionInput, type TransactionOutput } from './transaction.js'
import type { ScriptPublicKey } from './utxo.js'

/** A transaction with what is needed to sign, look up and submit it in a later process. */
export interface SerializablePayment {
  readonly network: ChainNetwork
  readonly transaction: Transaction
  /** The spent outputs, in the order of the inputs. */
  readonly spent: readonly SpentRecord[]
  /** The id of the payment that it replaces. */
  readonly replaces: string | undefined
  /** The sink from before it was first submitted; undefined where it was not read yet. */
  readonly lookupStart: string | undefined
  /** The script that gets the change; undefined where everything goes to a recipient. */
  readonly change: ScriptPublicKey | undefined
  /** The calls of contracts, which are its first inputs. */
  readonly calls?: readonly SerializedCall[] | undefined
}

/** A spent output; covenant and score are those of the output of a contract. */
export interface SpentRecord extends SpentOutput {
  readonly covenantId?: string | undefined
  readonly blockDaaScore?: bigint | undefined
  /** Of an output of several signers, whose text states it. */
  readonly isCoinbase?: boolean | undefined
}

/** The version of the record that `restore()` reads. */
const VERSION = 1

/** A transaction in the form of `PendingTx.serialize()`: JSON-safe, with the record that `restore()` reads. */
export function serializePayment(payment: SerializablePayment): SerializedTransaction {
  const { network, transaction, replaces, lookupStart, change, calls = [] } = payment
  const spent = payment.spent.map(({ amount, scriptPublicKey, covenantId, blockDaaScore, isCoinbase }) => ({
    amount: amount.toString(),
    scriptPublicKey: toScript(scriptPublicKey),
    ...(isCoinbase === true && isScriptHash(scriptPublicKey) && { isCoinbase }),
    ...(covenantId && { covenantId, blockDaaScore: String(blockDaaScore ?? 0n) }),
  }))
  const record = {
    version: VERSION,
    network,
    spent,
    ...(replaces && { replaces }),
    ...(lookupStart && { lookupStart }),
    ...(change && { change: toScript(change) }),
    ...(calls.length > 0 && { calls: calls.map(readCall) }),
  }
  const serialized = serializeTransaction(withoutOtherFields(transaction))
  return { ...serialized, restore: { ...record, checksum: checksumOf({ ...serialized, restore: record }) } }
}

/**
 * Parses a serialized payment; ignores other fields, at any order of the keys. Throws `ChainError` (`invalid-argument`)
 * where it is damaged, changed, or of another network or a newer version.
 */
export function parsePayment(value: unknown, network: ChainNetwork): SerializablePayment {
  const given = value as Partial<SerializedTransaction> | null | undefined
  const restore: Partial<RestoreRecord> | null = given?.restore ?? null
  if (restore === null) throw invalid('It is not what serialize() returned.')
  if (restore.version !== VERSION) throw invalid('Another version of vue-chain wrote it.')
  if (restore.network !== network) throw invalid(`It belongs to another network than ${network}.`)
  const payment = attempt(() => readPayment(given as SerializedTransaction, network))
  const again = serializePayment(payment)
  if (again.id !== given?.id || again.restore?.checksum !== restore.checksum) throw damaged()
  if (payment.spent.length !== payment.transaction.inputs.length) throw damaged()
  return payment
}

function readPayment(given: SerializedTransaction, network: ChainNetwork): SerializablePayment {
  const { spent = [], replaces, lookupStart, change, calls = [] } = given.restore ?? {}
  for (const hash of [replaces, lookupStart]) check(hash === undefined || isHex(hash, 32))
  return {
    network,
    transaction: readTransaction(given),
    spent: spent.map(({ amount, scriptPublicKey, covenantId, blockDaaScore = 0n, isCoinbase }) => ({
      amount: readAmount(amount),
      scriptPublicKey: readScript(scriptPublicKey),
      ...(isCoinbase === true && { isCoinbase }),
      ...(covenantId && { covenantId, blockDaaScore: BigInt(blockDaaScore) }),
    })),
    replaces,
    lookupStart,
    change: change && readScript(change),
    calls: calls.map(readCall),
  }
}

/** Without other fields, in this order. */
const toScript = ({ version, script }: ScriptPublicKey): ScriptPublicKey => ({ version, script })

const isScriptHash = (script: ScriptPublicKey): boolean => addressVersionOf(script) === 'ScriptHash'

/** Only what payments and calls of contracts consist of: a native transaction. Payments have no lock time. */
function readTransaction(given: TransactionLike): Transaction {
  const parsed = toTransaction(given)
  const { version, subnetworkId, gas, lockTime, payload, mass } = parsed
  check((version === 0 ? lockTime === 0n : version === 1) && subnetworkId === NATIVE_SUBNETWORK && gas === 0n)
  check(isHex(payload) && BigInt.asUintN(64, mass) === mass)
  for (const { sigOpCount } of parsed.inputs) check(isUint(sigOpCount, 8) && sigOpCount > 0 === (version === 0))
  return withoutOtherFields(parsed)
}

/** The same fields in the same order as in every other process, because the checksum covers them as text. */
const withoutOtherFields = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map(readInput),
  outputs: transaction.outputs.map(readOutput),
})

function readInput({ previousOutpoint, signatureScript, sequence, ...input }: TransactionInput): TransactionInput {
  const { transactionId, index } = previousOutpoint
  const { sigOpCount, computeBudget } = input
  check(isHex(transactionId, 32) && isUint(index, 32) && (computeBudget === undefined || isUint(computeBudget, 16)))
  check(isHex(signatureScript) && BigInt.asUintN(64, sequence) === sequence)
  const read = { previousOutpoint: { transactionId, index }, signatureScript, sequence, sigOpCount }
  return computeBudget === undefined ? read : { ...read, computeBudget }
}

function readOutput({ value, scriptPublicKey, covenant }: TransactionOutput): TransactionOutput {
  const read = { value: readAmount(value), scriptPublicKey: readScript(scriptPublicKey) }
  if (covenant === undefined) return read
  const { authorizingInput, covenantId } = covenant
  check(isUint(authorizingInput, 16) && isHex(covenantId, 32))
  return { ...read, covenant: { authorizingInput, covenantId } }
}

function readAmount(value: bigint | string): bigint {
  const amount = BigInt(value)
  check(amount > 0n && amount <= MAX_SOMPI)
  return amount
}

function readScript({ version, script }: ScriptPublicKey): ScriptPublicKey {
  check(isUint(version, 16) && isHex(script))
  return { version, script }
}

/** Likewise. What restores them checks them against the scripts. */
const readCall = ({ covenantId, entry, signatures, redeemScripts, computeBudget }: SerializedCall): SerializedCall => ({
  covenantId,
  entry,
  signatures: signatures.map(({ at, address }) => ({ at, address })),
  redeemScripts,
  computeBudget,
})

const isUint = (value: number, bits: number): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** bits

function check(condition: boolean): void {
  if (!condition) throw damaged()
}

/** Every failure to read the record is the same error: its parts are missing or of another type. */
function attempt<Result>(read: () => Result): Result {
  try {
    return read()
  } catch {
    throw damaged() // without the cause, which may quote the record
  }
}

const checksumOf = (record: object): string => toHex(blake2b256(new TextEncoder().encode(JSON.stringify(record))))

const damaged = (): ChainError => invalid('It was changed or damaged after serialize() returned it.')

const invalid = (why: string): ChainError =>
  invalidArgument('serialized', 'The serialized payment cannot be restored', `${why} Nothing was sent.`)
