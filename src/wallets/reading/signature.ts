import { isHex, toHex } from '../../model/hex.js'

/** A Schnorr signature in hex, from hex or base64. Undefined if invalid. */
export function readSignature(result: unknown): string | undefined {
  if (typeof result !== 'string') return undefined
  const hex = result.trim().toLowerCase()
  return isHex(hex, 64) ? hex : fromBase64(result.trim())
}

function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return undefined // 64 bytes
  return toHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}
