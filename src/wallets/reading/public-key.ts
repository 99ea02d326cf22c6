import { isHex } from '../../model/hex.js'

/**
 * A public key as we hand it on, lower-case hex: compressed (33 bytes), or x-only (32) where the wallet gives that. A
 * hardware wallet's uncompressed one is made short. Null where the answer holds none.
 */
export function readPublicKey(answer: unknown): string | null {
  const key = typeof answer === 'string' ? answer.toLowerCase() : null
  if (isHex(key, 65) && key.startsWith('04')) return compress(key)
  return isHex(key, 33) || isHex(key, 32) ? key : null
}

/** X stays, of Y only the parity is kept. */
const compress = (key: string): string => (parseInt(key.slice(-1), 16) % 2 === 0 ? '02' : '03') + key.slice(2, 66)
