import { isCoinbase } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { KnownTransaction } from '../transaction.js'
import type { Addresses } from './addresses.js'

/** The coins that a transaction makes when it takes effect at `blockDaaScore`. */
export function coinsOf(known: KnownTransaction, blockDaaScore: bigint, addresses: Addresses): readonly UtxoEntry[] {
  return known.transaction.outputs.map((_, index) => coinOf(known, index, blockDaaScore, addresses))
}

/** One of them. `index` must be that of an output. */
export function coinOf(
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
