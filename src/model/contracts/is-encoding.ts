import { ChainError } from '../../errors/chain-error.js'

/**
 * Whether bytes are the one encoding of what was decoded from them: what was read from parts of other sizes has another
 * one, or none.
 */
export function isEncoding(bytes: Uint8Array, encode: () => Uint8Array): boolean {
  try {
    const encoded = encode()
    return encoded.length === bytes.length && encoded.every((byte, index) => byte === bytes[index])
  } catch (error) {
    if (error instanceof ChainError && error.code === 'invalid-argument') return false
    throw error
  }
}
