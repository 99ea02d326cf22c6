import type { ByteWriter } from '../../model/bytes.js'
import { ADDRESS_HEADER_SIZE, addressCodes, readAddressText } from './coded-text.js'
import type { Cursor } from './cursor.js'
import { createInterned } from './interning.js'

/** Encodes and decodes addresses. */
export interface AddressCoder {
  /** Throws `ChainError` (`invalid-argument`) if it is no address. */
  readonly write: (writer: ByteWriter, address: string) => void
  readonly read: (cursor: Cursor) => string
}

/**
 * The encoded addresses that are cached: more than a large wallet has, which the mempool is read for every few seconds.
 */
const MAX_WRITTEN = 32_768

/**
 * An `AddressCoder` with a cache. Encoding or decoding an address takes longer than decoding a whole UTXO entry, and
 * the same addresses recur in requests and responses.
 */
export function createAddressCoder(): AddressCoder {
  const written = new Map<string, Uint8Array>()
  const texts = createInterned(readAddressText)

  const encodeAndCache = (address: string): Uint8Array => {
    const bytes = toBytes(address)
    if (written.size === MAX_WRITTEN) written.clear()
    written.set(address, bytes)
    texts.add(bytes, address)
    return bytes
  }
  return {
    write: (writer, address) => {
      writer.bytes(written.get(address) ?? encodeAndCache(address))
    },
    read: (cursor) => {
      const start = cursor.take(ADDRESS_HEADER_SIZE)
      const length = cursor.view.getUint32(start + 2, true)
      cursor.take(length)
      return texts.valueOf(cursor, start, ADDRESS_HEADER_SIZE + length)
    },
  }
}

/** An address in Borsh. */
function toBytes(address: string): Uint8Array {
  const { prefix, version, payload } = addressCodes(address)
  return Uint8Array.of(prefix, version, payload.length, 0, 0, 0, ...payload)
}
