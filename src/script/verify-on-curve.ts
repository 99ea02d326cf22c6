import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'

export type SignatureScheme = 'schnorr' | 'ecdsa'

/** Whether a signature of 64 bytes is valid for 32 bytes and a key: x-only (Schnorr), or compressed. */
export type VerifySignature = (
  scheme: SignatureScheme,
  signature: Uint8Array,
  digest: Uint8Array,
  key: Uint8Array,
) => boolean

/** By the curve, which takes milliseconds. An ECDSA signature with a high s is not valid. */
export const verifyOnCurve: VerifySignature = (scheme, signature, digest, key) =>
  scheme === 'schnorr'
    ? schnorr.verify(signature, digest, key)
    : secp256k1.verify(signature, digest, key, { prehash: false, lowS: true, format: 'compact' })
