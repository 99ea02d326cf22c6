import { ByteWriter } from './bytes.js'
import { blake2bKeyed } from './hashing.js'
import { toHex } from './hex.js'
import type { TransactionOutput } from './transaction.js'
import type { Outpoint } from './utxo.js'

/** An output that begins a covenant, with its index in the transaction. */
export interface GenesisOutput extends Pick<TransactionOutput, 'value' | 'scriptPublicKey'> {
  readonly index: number
}

/**
 * The id of a covenant, hex: the hash of the outpoint of the input that authorizes its genesis and of all outputs that
 * begin it, by ascending index in the transaction.
 */
export function covenantIdOf(outpoint: Outpoint, outputs: readonly GenesisOutput[]): string {
  const writer = new ByteWriter().hex(outpoint.transactionId).u32(outpoint.index).u64(outputs.length)
  for (const { index, value, scriptPublicKey } of outputs)
    writer.u32(index).u64(value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  return toHex(blake2bKeyed('CovenantID', writer.written()))
}
