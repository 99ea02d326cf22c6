import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { invalidPskb } from '../../errors/cosigning-errors.js'
import { BoundedMap } from '../../model/bounded-collections.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { PartialSignature, Pskt } from '../../model/pskb/records.js'
import type { VerifySignature } from '../../script/machine.js'

/** Whether a signature of 64 bytes, hex, is valid for a hash and a compressed key. One with a high s is not. */
export type SignatureCheck = (signature: string, hash: Uint8Array, publicKey: string, isEcdsa: boolean) => boolean

/** By the curve, which takes milliseconds. */
export const isValidSignature: SignatureCheck = (signature, hash, publicKey, isEcdsa) => {
  try {
    return isEcdsa
      ? secp256k1.verify(fromHex(signature), hash, fromHex(publicKey), { prehash: false, lowS: true })
      : schnorr.verify(fromHex(signature), hash, fromHex(publicKey.slice(2)))
  } catch {
    return false // numbers out of range
  }
}

/** Signatures that are remembered, of some 300 bytes each: those of a few of the largest texts. */
const REMEMBERED = 10_000

/** The same, by the curve once for each signature, hash and key: a payment is opened, combined and finalized. */
export function createSignatureCheck(): SignatureCheck {
  const results = new BoundedMap<string, boolean>(REMEMBERED)
  return (signature, hash, publicKey, isEcdsa) => {
    const key = signature + toHex(hash) + (isEcdsa ? publicKey : publicKey.slice(2))
    const isValid = results.get(key) ?? isValidSignature(signature, hash, publicKey, isEcdsa)
    results.set(key, isValid)
    return isValid
  }
}

/** The same as the script machine calls it: keys of Schnorr are x-only there. */
export const toScriptCheck =
  (isValid: SignatureCheck): VerifySignature =>
  (scheme, signature, digest, key) =>
    scheme === 'ecdsa'
      ? isValid(toHex(signature), digest, toHex(key), true)
      : isValid(toHex(signature), digest, `02${toHex(key)}`, false)

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

/** A signature in a signature script: a push of 65 bytes, the signature, its type. */
const SIGNATURE = /41([0-9a-f]{128})([0-9a-f]{2})/y

interface ScriptSignature {
  /** 64 bytes, hex. */
  readonly signature: string
  readonly type: number
}

/** The signatures at the beginning of a final signature script. */
export function signaturesOfFinalScript(script: string | null): readonly ScriptSignature[] {
  const signatures: ScriptSignature[] = []
  if (script === null) return signatures
  SIGNATURE.lastIndex = 0
  for (let match = SIGNATURE.exec(script); match !== null; match = SIGNATURE.exec(script)) {
    const [, signature = '', type = ''] = match
    signatures.push({ signature, type: parseInt(type, 16) })
  }
  return signatures
}

/** The types of these signatures. */
export const typesOfFinalScript = (script: string | null): readonly number[] =>
  signaturesOfFinalScript(script).map(({ type }) => type)

/** The signature script that spends a redeem script: the signatures in the order of its keys, then one push of it. */
export const toFinalScript = (signatures: readonly string[], redeemScript: string): string =>
  [...signatures.map(toSignaturePush), push(redeemScript)].join('')

/** SIGHASH_ALL. */
export const toSignaturePush = (signature: string): string => `41${signature}01`

/** The shortest push of up to 65,535 bytes, little-endian. */
function push(hex: string): string {
  const length = hex.length / 2
  if (length <= 75) return byte(length) + hex
  if (length <= 255) return `4c${byte(length)}${hex}`
  return `4d${byte(length & 255)}${byte(length >> 8)}${hex}`
}

const byte = (value: number): string => value.toString(16).padStart(2, '0')
