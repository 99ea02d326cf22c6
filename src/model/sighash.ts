import { sha256 } from '@noble/hashes/sha2.js'
import { invalidArgument } from '../errors/chain-error.js'
import { ByteWriter } from './bytes.js'
import { blake2bAfter } from './hashing.js'
import { NOT_COVERED, SIGHASH_DOMAIN, sighashFields, type SighashFields } from './sighash-fields.js'
import type { Transaction, TransactionInput } from './transaction.js'
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
