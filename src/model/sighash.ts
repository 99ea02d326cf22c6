import { sha256 } from '@noble/hashes/sha2.js'
import { invalidArgument } from '../errors/chain-error.js'
import { ByteWriter } from './bytes.js'
import { blake2bAfter, blake2bKeyed } from './hashing.js'
import { type Transaction, type TransactionInput, NATIVE_SUBNETWORK } from './transaction.js'
import type { UtxoEntry } from './utxo.js'
import { writeOutput } from './transaction-id.js'

/** What a signature commits to. Ordinary payments use `All`. */
export const SIGHASH_TYPES = {
  All: 0x01,
  None: 0x02,
  Single: 0x04,
  AllAnyOneCanPay: 0x81,
  NoneAnyOneCanPay: 0x82,
  SingleAnyOneCanPay: 0x84,
} as const

/** The last byte of a signature script's signature. */
export type SighashType = (typeof SIGHASH_TYPES)[keyof typeof SIGHASH_TYPES]

/** The signed fields of a spent output. */
export type SpentOutput = Pick<UtxoEntry, 'amount' | 'scriptPublicKey'>

/** What the signatures of a transaction's inputs share, computed lazily and memoized. */
export interface SighashParts {
  readonly ofType: (type: SighashType) => InputSighash
}

/** The sighash of an input, by its position and the output that it spends. */
type InputSighash = (input: TransactionInput, index: number, spent: SpentOutput) => Uint8Array

const ANYONE_CAN_PAY = 0x80

/**
 * The 32 bytes that the Schnorr signature of input `index` signs, by the rules of nodes since 0.16 (a payload is signed
 * too). `spent` are the outputs that the inputs spend, in the order of the inputs. To sign several inputs, pass
 * `sighashParts(transaction)`: signing n inputs then costs O(n) instead of O(n²). Throws `ChainError`
 * (`invalid-argument`) for an unknown input or type.
 */
export function sighash(
  transaction: Transaction,
  index: number,
  spent: readonly SpentOutput[],
  type: SighashType = SIGHASH_TYPES.All,
  parts: SighashParts = sighashParts(transaction),
): Uint8Array {
  const input = transaction.inputs[index]
  const output = spent[index]
  if (input === undefined || output === undefined)
    throw invalidArgument('index', `There is no input ${String(index)} to sign`)
  return parts.ofType(type)(input, index, output)
}

/** The same for an ECDSA signature: SHA-256 over a tag and the Schnorr sighash. */
export function ecdsaSighash(...parameters: Parameters<typeof sighash>): Uint8Array {
  const tag = sha256(new TextEncoder().encode('TransactionSigningHashECDSA'))
  return sha256(
    new ByteWriter(64)
      .bytes(tag)
      .bytes(sighash(...parameters))
      .written(),
  )
}

/** What the sighashes of `transaction` share. */
export function sighashParts(transaction: Transaction): SighashParts {
  const fields = sighashFields(transaction)
  const known = new Map<SighashType, InputSighash>()
  return {
    ofType: (type) => {
      const hash = known.get(type) ?? inputSighash(transaction, toCoverage(type), type, fields)
      known.set(type, hash)
      return hash
    },
  }
}

/** Hashes the fields before those of an input once for all inputs, and assembles the others in one buffer. */
function inputSighash(
  transaction: Transaction,
  covered: Coverage,
  type: SighashType,
  fields: SighashFields,
): InputSighash {
  const hashAfterStart = blake2bAfter(SIGHASH_DOMAIN, startOf(transaction, covered, fields))
  const isVersion0 = transaction.version === 0
  const end = endOf(transaction, type, fields)
  const writer = new ByteWriter()
  return ({ previousOutpoint, sequence, sigOpCount }, index, { scriptPublicKey, amount }) => {
    writer.restart().hex(previousOutpoint.transactionId).u32(previousOutpoint.index)
    writer.u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script).u64(amount).u64(sequence)
    if (isVersion0) writer.u8(sigOpCount)
    writer.bytes(outputsOf(covered, index, fields)).bytes(end)
    return hashAfterStart(writer.written())
  }
}

function startOf({ version }: Transaction, covered: Coverage, fields: SighashFields): Uint8Array {
  const isWhole = covered.inputs === 'all'
  const writer = new ByteWriter().u16(version)
  writer.bytes(isWhole ? fields.outpoints() : NOT_COVERED)
  writer.bytes(isWhole && covered.outputs === 'all' ? fields.sequences() : NOT_COVERED)
  if (version === 0) writer.bytes(isWhole ? fields.sigOpCounts() : NOT_COVERED)
  return writer.written()
}

function outputsOf(covered: Coverage, index: number, fields: SighashFields): Uint8Array {
  if (covered.outputs === 'all') return fields.outputs()
  return covered.outputs === 'own' ? fields.output(index) : NOT_COVERED
}

function endOf({ lockTime, subnetworkId, gas }: Transaction, type: SighashType, fields: SighashFields): Uint8Array {
  return new ByteWriter().u64(lockTime).hex(subnetworkId).u64(gas).bytes(fields.payload()).u8(type).written()
}

interface Coverage {
  readonly inputs: 'all' | 'own'
  readonly outputs: 'all' | 'none' | 'own'
}

function toCoverage(type: SighashType): Coverage {
  const inputs = type & ANYONE_CAN_PAY ? 'own' : 'all'
  switch (type & ~ANYONE_CAN_PAY) {
    case SIGHASH_TYPES.All:
      return { inputs, outputs: 'all' }
    case SIGHASH_TYPES.None:
      return { inputs, outputs: 'none' }
    case SIGHASH_TYPES.Single:
      return { inputs, outputs: 'own' }
    default:
      throw invalidArgument('type', `There is no sighash type 0x${type.toString(16)}`)
  }
}

/**
 * Bytes in place of a signature that is not made yet: of the same length, and valid only for the key that will sign
 * where a run takes placeholders. `key` is a public key of 32 bytes, or of 33 with the parity of an ECDSA key.
 */
export function placeholderSignature(key: Uint8Array): Uint8Array<ArrayBuffer> {
  const x = key.subarray(-32)
  return Uint8Array.of(...x, ...x, SIGHASH_TYPES.All)
}

/** Whether a signature without its type byte is the placeholder of a key. */
export function isPlaceholderOf(key: Uint8Array, signature: Uint8Array): boolean {
  const x = key.subarray(-32)
  return signature.length === 64 && signature.every((byte, index) => byte === x[index % 32])
}

/** The domain of all hashes in a sighash. */
const SIGHASH_DOMAIN = 'TransactionSigningHash'

/** The hash of fields that a signature does not cover. */
const NOT_COVERED: Uint8Array = /*#__PURE__*/ new Uint8Array(32)

/** Hashes of fields that the sighashes of a transaction contain, computed lazily and memoized, except for `output`. */
interface SighashFields {
  readonly outpoints: () => Uint8Array
  readonly sequences: () => Uint8Array
  readonly sigOpCounts: () => Uint8Array
  /** All outputs. */
  readonly outputs: () => Uint8Array
  /** The output with this index; not covered where there is none. */
  readonly output: (index: number) => Uint8Array
  readonly payload: () => Uint8Array
}

function sighashFields(transaction: Transaction): SighashFields {
  const { inputs, outputs } = transaction
  return {
    outpoints: once(() =>
      hashOf(inputs, ({ previousOutpoint: { transactionId, index } }, writer) => writer.hex(transactionId).u32(index)),
    ),
    sequences: once(() => hashOf(inputs, ({ sequence }, writer) => writer.u64(sequence))),
    sigOpCounts: once(() => hashOf(inputs, ({ sigOpCount }, writer) => writer.u8(sigOpCount))),
    outputs: once(() => outputsHash(transaction, 0, outputs.length)),
    output: (index) => (index < outputs.length ? outputsHash(transaction, index, index + 1) : NOT_COVERED),
    payload: once(() => payloadHash(transaction)),
  }
}

function hashOf(
  inputs: readonly TransactionInput[],
  write: (input: TransactionInput, writer: ByteWriter) => void,
): Uint8Array {
  const writer = new ByteWriter(LARGEST_FIELD * inputs.length)
  for (const input of inputs) write(input, writer)
  return hash(writer)
}

/** Bytes of an outpoint. */
const LARGEST_FIELD = 36

function outputsHash({ version, outputs }: Transaction, from: number, to: number): Uint8Array {
  const writer = new ByteWriter()
  for (const output of outputs.slice(from, to)) writeOutput(writer, version, output)
  return hash(writer)
}

/**
 * Not covered in a native transaction without payload; nodes before 0.16 covered no payload of a native transaction.
 */
function payloadHash({ subnetworkId, payload }: Transaction): Uint8Array {
  if (subnetworkId === NATIVE_SUBNETWORK && payload === '') return NOT_COVERED
  return hash(new ByteWriter(payload.length).hexWithLength(payload))
}

const hash = (writer: ByteWriter): Uint8Array => blake2bKeyed(SIGHASH_DOMAIN, writer.written())

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
