import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../../model/hex.js'
import { isEcdsa, type InputToSign } from './inputs-to-sign.js'

/** The output that an input spends, and what its key signs. */
type SignedInput = Pick<InputToSign, 'scriptPublicKey' | 'sighash'>

/**
 * The signature script of an input for a signature of 64 bytes (BIP-340, or r ‖ s of ECDSA), hex; undefined where it is
 * not a valid signature of the key in the locking script. A high s is replaced by the low one, which alone is valid.
 */
export function toSignatureScript(signature: unknown, { scriptPublicKey, sighash }: SignedInput): string | undefined {
  if (!(signature instanceof Uint8Array) || signature.length !== 64) return undefined
  const publicKey = fromHex(scriptPublicKey.script.slice(2, -2))
  try {
    const checked = isEcdsa(scriptPublicKey)
      ? checkEcdsa(signature, sighash, publicKey)
      : schnorr.verify(signature, sighash, publicKey) && signature
    return checked === false ? undefined : `41${toHex(checked)}01`
  } catch {
    return undefined // numbers out of range, or a key that is not a point of the curve
  }
}

/** Whether a signature script of a payment is valid. */
export function isSignatureScript(script: string, input: SignedInput): boolean {
  return /^41[0-9a-f]{128}01$/.test(script) && toSignatureScript(fromHex(script.slice(2, -2)), input) === script
}

function checkEcdsa(signature: Uint8Array, sighash: Uint8Array, publicKey: Uint8Array): Uint8Array | false {
  const low = toLowS(signature)
  return secp256k1.verify(low, sighash, publicKey, { prehash: false, lowS: true }) && low
}

function toLowS(signature: Uint8Array): Uint8Array {
  const given = secp256k1.Signature.fromBytes(signature, 'compact')
  if (!given.hasHighS()) return signature
  return new secp256k1.Signature(given.r, secp256k1.Point.Fn.neg(given.s)).toBytes('compact')
}
