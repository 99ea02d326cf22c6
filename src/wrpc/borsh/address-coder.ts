import type { ByteWriter } from '../../model/bytes.js'
import { ADDRESS_HEAD, addressCodes, readAddressText } from './coded-text.js'
import type { Cursor } from './cursor.js'
import { SLOTS, createInterned } from './interning.js'

/** Writes and reads addresses. */
export interface AddressCoder {
  /** Throws `ChainError` (`invalid-argument`) where it is no address. */
  readonly write: (writer: ByteWriter, address: string) => void
  readonly read: (cursor: Cursor) => string
}

/**
 * An `AddressCoder` that remembers addresses it has met lately. To check one, or to spell it, takes longer than to read a
 * whole UTXO entry; and whoever asks about addresses writes them again and again, and is answered about them.
 */
export function createAddressCoder(): AddressCoder {
  const written = new Map<string, Uint8Array>()
  const texts = createInterned(readAddressText)

  const remember = (address: string): Uint8Array => {
    const bytes = toBytes(address)
    if (written.size === SLOTS) written.clear()
    written.set(address, bytes)
    texts.learn(bytes, address)
    return bytes
  }
  return {
    write: (writer, address) => {
      writer.bytes(written.get(address) ?? remember(address))
    },
    read: (cursor) => {
      const start = cursor.take(ADDRESS_HEAD)
      const length = cursor.view.getUint32(start + 2, true)
      cursor.take(length)
      return texts.valueOf(cursor, start, ADDRESS_HEAD + length)
    },
  }
}

/** An address as it stands in a frame. */
function toBytes(address: string): Uint8Array {
  const { prefix, version, payload } = addressCodes(address)
  return Uint8Array.of(prefix, version, payload.length, 0, 0, 0, ...payload)
}
