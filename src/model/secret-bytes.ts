import { decodeHex, toHex } from './hex.js'

/**
 * Runs `use` on the bytes of a secret in hex, and overwrites them afterwards, also where it throws. The text itself
 * cannot be overwritten: JavaScript strings stay in memory until the garbage collector reuses it. Throws an `Error`
 * where the secret is not hex, no `ChainError`: the worker that signs, which no error leaves, would contain that code.
 */
export function withSecretBytes<Result>(secret: string, use: (bytes: Uint8Array) => Result): Result {
  const bytes = new Uint8Array(secret.length >> 1)
  try {
    if (!decodeHex(secret, bytes, 0)) throw new Error('The secret is not hex')
    return use(bytes)
  } finally {
    bytes.fill(0)
  }
}

/** The hex of a secret, whose bytes are overwritten. */
export function takeSecretHex(bytes: Uint8Array): string {
  const hex = toHex(bytes)
  bytes.fill(0)
  return hex
}
