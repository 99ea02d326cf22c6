import { schnorr } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../model/hex.js'

/**
 * Signs 32-byte sighashes; returns the whole signature script of each, hex: push of 65 bytes, BIP-340 signature,
 * SIGHASH_ALL. The library verifies each signature before it returns it.
 */
export function signHashes(hashes: readonly Uint8Array[], privateKey: string): readonly string[] {
  const key = fromHex(privateKey)
  return hashes.map((hash) => `41${toHex(schnorr.sign(hash, key))}01`)
}
