import { schnorr } from '@noble/curves/secp256k1.js'
import { toHex } from '../../model/hex.js'
import { withSecretBytes } from '../../model/secret-bytes.js'

/**
 * Signs 32-byte sighashes; returns the whole signature script of each, hex: push of 65 bytes, BIP-340 signature,
 * SIGHASH_ALL. The library verifies each signature before it returns it.
 */
export const signHashes = (hashes: readonly Uint8Array[], privateKey: string): readonly string[] =>
  withSecretBytes(privateKey, (key) => hashes.map((hash) => `41${toHex(schnorr.sign(hash, key))}01`))
