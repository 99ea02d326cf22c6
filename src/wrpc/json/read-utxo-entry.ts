import type { UtxoEntry } from '../../model/utxo.js'
import type { Read, ScalarReaders } from './read-scalars.js'
import { asObject } from './values.js'

/** Decodes a `utxoEntry` of the table into one literal, for speed. A test compares it with the general reader. */
export function createUtxoEntryReader(read: ScalarReaders): Read<UtxoEntry> {
  return (value) => {
    const entry = asObject(value)
    const outpoint = asObject(entry.outpoint)
    const utxo = asObject(entry.utxoEntry)
    const address = entry.address ?? undefined
    const covenantId = utxo.covenantId ?? undefined
    return {
      address: address === undefined ? undefined : read.address(address),
      outpoint: { transactionId: read.hash(outpoint.transactionId), index: read.u32(outpoint.index) },
      amount: read.u64(utxo.amount),
      scriptPublicKey: read.scriptPublicKey(utxo.scriptPublicKey),
      blockDaaScore: read.u64(utxo.blockDaaScore),
      isCoinbase: read.bool(utxo.isCoinbase),
      covenantId: covenantId === undefined ? undefined : read.hash(covenantId),
    }
  }
}
