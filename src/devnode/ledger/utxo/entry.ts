import { isCoinbase } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { KnownTransaction } from '../transaction.js'
import type { Addresses } from './addresses.js'

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
