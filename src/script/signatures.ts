import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ecdsaSighash, SIGHASH_TYPES, sighash, type SighashType, isPlaceholderOf } from '../model/sighash.js'
import type { Machine } from './machine.js'
import { ScriptError } from './script-error.js'
import type { SignatureScheme } from './verify-on-curve.js'

/**
 * Verifies `signature` (with its sighash type byte) by `key` for the input of the machine. An empty signature is false.
 * Throws `ScriptError` for a malformed signature, type or key.
 */
export function verifySignature(
  scheme: SignatureScheme,
  signature: Uint8Array,
  key: Uint8Array,
  machine: Machine,
): boolean {
  const typeByte = signature.at(-1)
  if (typeByte === undefined) return false
  const type = toSighashType(typeByte)
  const { transaction, index, spent, parts } = machine.spending
  const hash = scheme === 'schnorr' ? sighash : ecdsaSighash
  return verifyDigest(scheme, signature.subarray(0, -1), key, machine, () =>
    hash(transaction, index, spent, type, parts),
  )
}

/** Verifies a signature without a type byte over 32 bytes, computed once key and signature are well-formed. */
export function verifyDigest(
  scheme: SignatureScheme,
  signature: Uint8Array,
  key: Uint8Array,
  { units, signatures, verify }: Machine,
  digest: () => Uint8Array,
): boolean {
  units.chargeSignature()
  assertKey(scheme, key)
  if (signatures === 'placeholders' && isPlaceholderOf(key, signature)) return true
  const isWellFormed = signature.length === 64 && (scheme === 'schnorr' || isEcdsa(signature))
  if (!isWellFormed) throw new ScriptError('signature invalid: malformed signature')
  return verify(scheme, signature, digest(), key)
}

export function toSighashType(byte: number): SighashType {
  const type = Object.values(SIGHASH_TYPES).find((known) => known === byte)
  if (type === undefined) throw new ScriptError(`invalid hash type 0x${byte.toString(16).padStart(2, '0')}`)
  return type
}

function assertKey(scheme: SignatureScheme, key: Uint8Array): void {
  if (scheme === 'ecdsa' && key.length !== 33) throw new ScriptError('unsupported public key type')
  const isPoint = scheme === 'ecdsa' ? isKey(key) : key.length === 32 && isKey(Uint8Array.of(2, ...key))
  if (!isPoint) throw new ScriptError('pubkey invalid: malformed public key')
}

/** Whether a compressed key is a point of the curve. */
const isKey = (key: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(key, true)

/** Whether both scalars are below the order of the curve. */
function isEcdsa(signature: Uint8Array): boolean {
  const { ORDER } = secp256k1.Point.Fn
  return [signature.subarray(0, 32), signature.subarray(32)].every((half) => toBigInt(half) < ORDER)
}

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)
