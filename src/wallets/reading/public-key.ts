import { isHex } from '../../model/hex.js'

/**
 * A public key in lower-case hex: compressed (33 bytes), or x-only (32) as the wallet returned it. Compresses the
 * uncompressed key of a hardware wallet. Null if invalid.
 */
export function readPublicKey(result: unknown): string | null {
  const key = typeof result === 'string' ? result.toLowerCase() : null
  if (isHex(key, 65) && key.startsWith('04')) return compress(key)
  return isHex(key, 33) || isHex(key, 32) ? key : null
}

/** The x coordinate with the parity of y. */
const compress = (key: string): string => (parseInt(key.slice(-1), 16) % 2 === 0 ? '02' : '03') + key.slice(2, 66)
