import type { UtxoEntry } from '../../model/utxo.js'
import type { Read, ScalarReaders } from './read-scalars.js'
import { asObject } from './values.js'

/** Reads a `utxoEntry` of the table into one literal; a test holds it to what the general reader gives. */
export function createUtxoEntryReader(read: ScalarReaders): Read<UtxoEntry> {
  return (value) => {
    const entry = asObject(value)
    const outpoint = asObject(entry.outpoint)
    const coin = asObject(entry.utxoEntry)
    const address = entry.address ?? undefined
    const covenantId = coin.covenantId ?? undefined
    return {
      address: address === undefined ? undefined : read.address(address),
      outpoint: { transactionId: read.hash(outpoint.transactionId), index: read.u32(outpoint.index) },
      amount: read.u64(coin.amount),
      scriptPublicKey: read.scriptPublicKey(coin.scriptPublicKey),
      blockDaaScore: read.u64(coin.blockDaaScore),
      isCoinbase: read.bool(coin.isCoinbase),
      covenantId: covenantId === undefined ? undefined : read.hash(covenantId),
    }
  }
}
