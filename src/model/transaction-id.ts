import { ByteWriter } from './bytes.js'
import { blake2bKeyed, blake3Keyed } from './hashing.js'
import { toHex } from './hex.js'
import type { Transaction, TransactionInput, TransactionOutput } from './transaction.js'

/** The serialized parts: the id omits what signing or mining changes. */
type Coverage = 'id' | 'hash'

/** The id of a transaction, hex, unaffected by signing: covers everything but signatures, budgets and mass. */
export function transactionId(transaction: Transaction): string {
  if (transaction.version === 0) return toHex(blake2bKeyed('TransactionID', serialize(transaction, 'id').written()))
  const payload = blake3Keyed('PayloadDigest', new ByteWriter().hex(transaction.payload).written())
  const restDigest = blake3Keyed('TransactionRest', serialize({ ...transaction, payload: '' }, 'id').written())
  return toHex(blake3Keyed('TransactionV1Id', new ByteWriter().bytes(payload).bytes(restDigest).written()))
}

/**
 * The hash of a whole transaction, hex, as blocks commit to it (`verboseData.hash` of a node): signatures and mass
 * included. Nodes before 1.1 report it without the mass; pass a transaction of mass 0n for theirs.
 */
export function transactionHash(transaction: Transaction): string {
  const writer = serialize(transaction, 'hash')
  if (transaction.version > 0 || transaction.mass > 0n) writer.u64(transaction.mass)
  return toHex(blake2bKeyed('TransactionHash', writer.written()))
}

/** Writes an output as ids and sighashes cover it; from version 1 on with its covenant binding. */
export function writeOutput(writer: ByteWriter, version: number, output: TransactionOutput): void {
  const { scriptPublicKey, covenant } = output
  writer.u64(output.value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  if (version === 0) return
  writer.u8(covenant === undefined ? 0 : 1)
  if (covenant !== undefined) writer.u16(covenant.authorizingInput).hex(covenant.covenantId)
}

function serialize(transaction: Transaction, coverage: Coverage): ByteWriter {
  const { version, inputs, outputs, lockTime, subnetworkId, gas, payload } = transaction
  const writer = new ByteWriter(64 * inputs.length + 256).u16(version).u64(inputs.length)
  for (const input of inputs) writeInput(writer, version, input, coverage)
  writer.u64(outputs.length)
  for (const output of outputs) writeOutput(writer, version, output)
  return writer.u64(lockTime).hex(subnetworkId).u64(gas).hexWithLength(payload)
}

function writeInput(writer: ByteWriter, version: number, input: TransactionInput, coverage: Coverage): void {
  writer.hex(input.previousOutpoint.transactionId).u32(input.previousOutpoint.index)
  if (coverage === 'id') {
    writer.u64(0n).u64(input.sequence)
    return
  }
  writer.hexWithLength(input.signatureScript)
  if (version === 0) writer.u8(input.sigOpCount).u64(input.sequence)
  else writer.u64(input.sequence).u16(input.computeBudget ?? 0)
}
