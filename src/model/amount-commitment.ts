import { ByteWriter } from './bytes.js'
import { blake2bKeyed } from './hashing.js'
import { toHex } from './hex.js'
import type { Outpoint } from './utxo.js'

/** An input as the commitment covers it. */
export interface CommittedInput {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly amount: bigint
}

/**
 * The sequences of a transaction's inputs that commit to the amounts of all of them. The sighash of an input holds its
 * own amount only and the id none, so that signatures made with different amounts could be combined; sequences are in
 * the id and in every sighash. Bit 63 is set, which means no relative lock time, the others are the first 63 bits of a
 * hash. One input needs no commitment: its sequence is 0.
 */
export function commitAmounts(inputs: readonly CommittedInput[]): readonly bigint[] {
  const sequenceOf = commitmentTo(inputs)
  return inputs.map((_, index) => sequenceOf(index))
}

/** The sequence of the input at an index: each is a hash of all inputs. */
function commitmentTo(inputs: readonly CommittedInput[]): (index: number) => bigint {
  if (inputs.length < 2) return () => 0n
  const bytes = writeInputs(new ByteWriter(INPUT_SIZE * inputs.length + 8).u32(0), inputs).written()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return (index) => {
    view.setUint32(0, index, true)
    const hash = blake2bKeyed('AmountCommitment', bytes)
    return NO_LOCK | new DataView(hash.buffer, hash.byteOffset).getBigUint64(0, true)
  }
}

/**
 * Sequences that are compared: 252 bits of hashes over all amounts, for which two sets with the same ones are found in
 * 2^126 tries. More would say nothing more, and cost a hash of all inputs each.
 */
const COMPARED = 4

/**
 * Whether the sequences of a transaction commit to the amounts of its inputs, or it has one input only, which needs
 * none. `commits`: the inputs whose sequences have to; the first of them are compared, which are enough.
 */
export function areAmountsCommitted<Input extends CommittedInput>(
  sequences: readonly bigint[],
  inputs: readonly Input[],
  commits: (input: Input) => boolean = () => true,
): boolean {
  if (sequences.length !== inputs.length) return false
  if (inputs.length === 1) return true
  const sequenceOf = commitmentTo(inputs)
  const compared = inputs.flatMap((input, index) => (commits(input) ? [index] : [])).slice(0, COMPARED)
  return compared.every((index) => sequenceOf(index) === sequences[index])
}

/** A digest of the amounts of all inputs, hex: what is compared where no sequence commits to them. */
export const amountsDigest = (inputs: readonly CommittedInput[]): string =>
  toHex(blake2bKeyed('AmountCommitment', writeInputs(new ByteWriter(), inputs).written()))

/** Bytes of an outpoint and an amount. */
const INPUT_SIZE = 44

/** The bit of a sequence that disables its relative lock time. */
const NO_LOCK = 2n ** 63n

/** Their number, then each, integers little-endian. */
function writeInputs(writer: ByteWriter, inputs: readonly CommittedInput[]): ByteWriter {
  writer.u32(inputs.length)
  for (const { outpoint, amount } of inputs) writer.hex(outpoint.transactionId).u32(outpoint.index).u64(amount)
  return writer
}
