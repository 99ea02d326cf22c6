import { sha256 } from '@noble/hashes/sha2.js'
import { invalidArgument } from '../errors/chain-error.js'
import { ByteWriter } from './bytes.js'
import { blake2bKeyed } from './hashing.js'
import { NATIVE_SUBNETWORK, type Transaction } from './transaction.js'
import { writeOutput } from './transaction-id.js'
import type { UtxoEntry } from './utxo.js'

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

/** Hashes shared by the signatures of all inputs, computed lazily and memoized. */
export interface SighashParts {
  outpoints(): Uint8Array
  sequences(): Uint8Array
  sigOpCounts(): Uint8Array
  outputs(): Uint8Array
  payload(): Uint8Array
}

const ZEROS = /*#__PURE__*/ new Uint8Array(32)
const ANYONE_CAN_PAY = 0x80

/**
 * The 32 bytes that the Schnorr signature of input `index` signs, by the rules of nodes since 0.16 (a payload is signed too).
 * `spent` are the outputs that the inputs spend, in the order of the inputs. To sign several inputs, pass
 * `sighashParts(transaction)`: signing n inputs then costs O(n) instead of O(n²).
 * Throws `ChainError` (`invalid-argument`) for an unknown input or type.
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
  const covered = toCoverage(type)
  const isVersion0 = transaction.version === 0
  const writer = new ByteWriter(320).u16(transaction.version)
  writer.bytes(covered.inputs === 'all' ? parts.outpoints() : ZEROS)
  writer.bytes(covered.inputs === 'all' && covered.outputs === 'all' ? parts.sequences() : ZEROS)
  if (isVersion0) writer.bytes(covered.inputs === 'all' ? parts.sigOpCounts() : ZEROS)
  writer.hex(input.previousOutpoint.transactionId).u32(input.previousOutpoint.index)
  writer.u16(output.scriptPublicKey.version).hexWithLength(output.scriptPublicKey.script)
  writer.u64(output.amount).u64(input.sequence)
  if (isVersion0) writer.u8(input.sigOpCount)
  writer.bytes(covered.outputs === 'all' ? parts.outputs() : outputsHash(transaction, covered.outputs, index))
  writer.u64(transaction.lockTime).hex(transaction.subnetworkId).u64(transaction.gas).bytes(parts.payload()).u8(type)
  return hash(writer)
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

/** The part hashes of `transaction`, shared by its inputs. */
export function sighashParts(transaction: Transaction): SighashParts {
  const { inputs } = transaction
  return {
    outpoints: once(() =>
      hash(
        inputs.reduce(
          (writer, { previousOutpoint: { transactionId, index } }) => writer.hex(transactionId).u32(index),
          new ByteWriter(),
        ),
      ),
    ),
    sequences: once(() => hash(inputs.reduce((writer, input) => writer.u64(input.sequence), new ByteWriter()))),
    sigOpCounts: once(() => hash(inputs.reduce((writer, input) => writer.u8(input.sigOpCount), new ByteWriter()))),
    outputs: once(() => hash(writeOutputs(transaction, 0, transaction.outputs.length))),
    payload: once(() => payloadHash(transaction)),
  }
}

function toCoverage(type: SighashType): { inputs: 'all' | 'own'; outputs: 'all' | 'none' | 'own' } {
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

function outputsHash(transaction: Transaction, covered: 'none' | 'own', index: number): Uint8Array {
  const isCovered = covered === 'own' && index < transaction.outputs.length
  return isCovered ? hash(writeOutputs(transaction, index, index + 1)) : ZEROS
}

function writeOutputs(transaction: Transaction, from: number, to: number): ByteWriter {
  const writer = new ByteWriter()
  for (const output of transaction.outputs.slice(from, to)) writeOutput(writer, transaction.version, output)
  return writer
}

/** Zeros for a native transaction without payload; nodes before 0.16 used zeros for every native transaction. */
function payloadHash({ subnetworkId, payload }: Transaction): Uint8Array {
  if (subnetworkId === NATIVE_SUBNETWORK && payload === '') return ZEROS
  return hash(new ByteWriter(payload.length).hexWithLength(payload))
}

const hash = (writer: ByteWriter): Uint8Array => blake2bKeyed('TransactionSigningHash', writer.written())

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
