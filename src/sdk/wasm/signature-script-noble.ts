import { schnorr } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../model/hex.js'

/** The signature script of a sighash, by pure JavaScript: ten times slower than the SDK, for SDKs that sign no hash. */
export const signHashByNoble = (hash: Uint8Array, privateKey: string): string =>
  `41${toHex(schnorr.sign(hash, fromHex(privateKey)))}01`
