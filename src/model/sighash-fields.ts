import { ByteWriter } from './bytes.js'
import { blake2bKeyed } from './hashing.js'
import { NATIVE_SUBNETWORK, type Transaction, type TransactionInput } from './transaction.js'
import { writeOutput } from './transaction-id.js'

/** The domain of all hashes in a sighash. */
export const SIGHASH_DOMAIN = 'TransactionSigningHash'

/** The hash of fields that a signature does not cover. */
export const NOT_COVERED: Uint8Array = /*#__PURE__*/ new Uint8Array(32)

/** Hashes of fields that the sighashes of a transaction contain, computed lazily and memoized, except for `output`. */
export interface SighashFields {
  readonly outpoints: () => Uint8Array
  readonly sequences: () => Uint8Array
  readonly sigOpCounts: () => Uint8Array
  /** All outputs. */
  readonly outputs: () => Uint8Array
  /** The output with this index; not covered where there is none. */
  readonly output: (index: number) => Uint8Array
  readonly payload: () => Uint8Array
}

export function sighashFields(transaction: Transaction): SighashFields {
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
