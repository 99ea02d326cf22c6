import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { invalidPskb } from '../../errors/cosigning-errors.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { PartialSignature, Pskt } from '../../model/pskb/records.js'

/** Whether a signature of 64 bytes, hex, is valid for a hash and a compressed key. One with a high s is not. */
export function isValidSignature(signature: string, hash: Uint8Array, publicKey: string, isEcdsa: boolean): boolean {
  try {
    return isEcdsa
      ? secp256k1.verify(fromHex(signature), hash, fromHex(publicKey), { prehash: false, lowS: true })
      : schnorr.verify(fromHex(signature), hash, fromHex(publicKey.slice(2)))
  } catch {
    return false // numbers out of range
  }
}

/** The 64 bytes of a signature of a text, hex; undefined where its DER is none. */
export function toCompact({ scheme, signature }: PartialSignature): string | undefined {
  if (scheme === 'schnorr') return signature
  try {
    return toHex(secp256k1.Signature.fromBytes(fromHex(signature), 'der').toBytes('compact'))
  } catch {
    return undefined
  }
}

/** A signature of 64 bytes as a text has it. */
export const toPartial = (signature: string, isEcdsa: boolean): PartialSignature =>
  isEcdsa
    ? { scheme: 'ecdsa', signature: toHex(secp256k1.Signature.fromBytes(fromHex(signature), 'compact').toBytes('der')) }
    : { scheme: 'schnorr', signature }

/**
 * Checks the keys and ECDSA signatures that a text names, a step for each: the crate refuses a text with others. Throws
 * `InvalidPskbError`.
 */
export function* checkKeys(bundle: readonly Pskt[]): Generator<undefined> {
  const checked = new Set<string>()
  for (const [at, { inputs, outputs }] of bundle.entries())
    for (const [side, records] of Object.entries({ inputs, outputs }))
      for (const [position, record] of records.entries()) {
        const signatures = 'partialSigs' in record ? record.partialSigs : NONE
        const path = `$[${at}].${side}[${position}]`
        for (const signature of signatures.values())
          if (toCompact(signature) === undefined) throw invalidPskb('type', `${path}.partialSigs.*`)
        for (const key of [...signatures.keys(), ...record.bip32Derivations.keys()]) {
          if (checked.has(key)) continue
          checked.add(key)
          if (!secp256k1.utils.isValidPublicKey(fromHex(key), true)) throw invalidPskb('key', path)
          yield undefined
        }
      }
}

const NONE: ReadonlyMap<string, PartialSignature> = new Map()
