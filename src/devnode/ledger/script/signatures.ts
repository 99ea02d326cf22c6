import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ecdsaSighash, SIGHASH_TYPES, sighash, type SighashType } from '../../../model/sighash.js'
import { ScriptError } from './script-error.js'
import type { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'

export type SignatureScheme = 'schnorr' | 'ecdsa'

/**
 * Verifies `signature` (with its sighash type byte) by `key` for an input. An empty signature is false. Throws `ScriptError` for a
 * malformed signature, type or key.
 */
export function verifySignature(
  scheme: SignatureScheme,
  signature: Uint8Array,
  key: Uint8Array,
  spending: Spending,
  units: ScriptUnits,
): boolean {
  const typeByte = signature.at(-1)
  if (typeByte === undefined) return false
  const type = toSighashType(typeByte)
  units.chargeSignature()
  return VERIFIERS[scheme](signature.subarray(0, -1), key, spending, type)
}

type Verify = (signature: Uint8Array, key: Uint8Array, spending: Spending, type: SighashType) => boolean

const VERIFIERS: Readonly<Record<SignatureScheme, Verify>> = {
  schnorr: (signature, key, { transaction, index, spent, parts }, type) => {
    assertKey(key.length === 32 && isKey(Uint8Array.of(2, ...key)))
    assertSignature(signature.length === 64)
    return schnorr.verify(signature, sighash(transaction, index, spent, type, parts), key)
  },
  ecdsa: (signature, key, { transaction, index, spent, parts }, type) => {
    if (key.length !== 33) throw new ScriptError('unsupported public key type')
    assertKey(isKey(key))
    assertSignature(signature.length === 64 && isEcdsa(signature))
    return secp256k1.verify(signature, ecdsaSighash(transaction, index, spent, type, parts), key, {
      prehash: false,
      lowS: true,
      format: 'compact',
    })
  },
}

function toSighashType(byte: number): SighashType {
  const type = Object.values(SIGHASH_TYPES).find((known) => known === byte)
  if (type === undefined) throw new ScriptError(`invalid hash type 0x${byte.toString(16).padStart(2, '0')}`)
  return type
}

function assertKey(isWellFormed: boolean): void {
  if (!isWellFormed) throw new ScriptError('pubkey invalid: malformed public key')
}

function assertSignature(isWellFormed: boolean): void {
  if (!isWellFormed) throw new ScriptError('signature invalid: malformed signature')
}

/** Whether a compressed key is a point of the curve. */
const isKey = (key: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(key, true)

/** Whether both scalars are below the order of the curve. */
function isEcdsa(signature: Uint8Array): boolean {
  const { ORDER } = secp256k1.Point.Fn
  return [signature.subarray(0, 32), signature.subarray(32)].every((half) => toBigInt(half) < ORDER)
}

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)
