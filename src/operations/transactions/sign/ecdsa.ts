import { secp256k1 } from '@noble/curves/secp256k1.js'
import { toHex } from '../../../model/hex.js'
import { withSecretBytes } from '../../../model/secret-bytes.js'

/** Signs the 32-byte ECDSA sighash of an input; returns the signature script, hex: r ‖ s, low s, and SIGHASH_ALL. */
export type EcdsaSigner = (hash: Uint8Array, privateKey: string) => string

/** In JavaScript, because no SDK signs ECDSA inputs. Loaded on demand. */
export const signEcdsa: EcdsaSigner = (hash, privateKey) =>
  withSecretBytes(privateKey, (key) => `41${toHex(secp256k1.sign(hash, key, { prehash: false, lowS: true }))}01`)
