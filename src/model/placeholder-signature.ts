import { SIGHASH_TYPES } from './sighash.js'

/**
 * Bytes in place of a signature that is not made yet: of the same length, and valid only for the key that will sign
 * where a run takes placeholders. `key` is a public key of 32 bytes, or of 33 with the parity of an ECDSA key.
 */
export function placeholderSignature(key: Uint8Array): Uint8Array<ArrayBuffer> {
  const x = key.subarray(-32)
  return Uint8Array.of(...x, ...x, SIGHASH_TYPES.All)
}

/** Whether a signature without its type byte is the placeholder of a key. */
export function isPlaceholderOf(key: Uint8Array, signature: Uint8Array): boolean {
  const x = key.subarray(-32)
  return signature.length === 64 && signature.every((byte, index) => byte === x[index % 32])
}
