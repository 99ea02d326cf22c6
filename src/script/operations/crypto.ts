import { blake2b } from '@noble/hashes/blake2.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { blake2b256 } from '../../model/hashing.js'
import {
  assertTrue,
  type Machine,
  type Operation,
  type Operations,
  type SignatureScheme,
  countOperations,
} from '../machine.js'
import { invalidState, ScriptError, assertElementSize } from '../stack.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ecdsaSighash, SIGHASH_TYPES, sighash, type SighashType, isPlaceholderOf } from '../../model/sighash.js'

const MAX_BLAKE2B_KEY = 64
const BLAKE3_KEY = 32
const DIGEST = 32

/** Hashes and signatures. A hash costs units for each byte of its data besides those of its result. */
export const CRYPTO: Operations = {
  0xa7: ({ stack, units }) => {
    const [data = EMPTY, key = EMPTY] = stack.take(2)
    assertElementSize(key.length, MAX_BLAKE2B_KEY)
    units.charge(2 * data.length)
    stack.push(key.length === 0 ? blake2b256(data) : blake2b(data, { dkLen: DIGEST, key }))
  },
  0xa8: hash(sha256, 1),
  0xa9: (machine) => checkMultiSignature(machine, 'ecdsa'),
  0xaa: (machine) => {
    machine.stack.peek(1).forEach((preimage) => machine.onHash(preimage, machine.at))
    hash(blake2b256, 2)(machine)
  },
  0xab: (machine) => machine.stack.pushBoolean(checkSignature(machine, 'ecdsa')),
  0xac: (machine) => machine.stack.pushBoolean(checkSignature(machine, 'schnorr')),
  0xad: (machine) => {
    machine.stack.pushBoolean(checkSignature(machine, 'schnorr'))
    assertTrue(machine.stack.popBoolean())
  },
  0xae: (machine) => checkMultiSignature(machine, 'schnorr'),
  0xaf: (machine) => {
    checkMultiSignature(machine, 'schnorr')
    assertTrue(machine.stack.popBoolean())
  },
  0xd7: (machine) => machine.stack.pushBoolean(checkDigest(machine, 'schnorr')),
  0xd8: (machine) => machine.stack.pushBoolean(checkDigest(machine, 'ecdsa')),
  0xd9: hash((data) => blake3(data), 1),
  0xda: ({ stack, units }) => {
    const [data = EMPTY, key = EMPTY] = stack.take(2)
    if (key.length !== BLAKE3_KEY)
      throw new ScriptError(`opcode requires ${BLAKE3_KEY} bytes, but script only has ${key.length} remaining`)
    units.charge(data.length)
    stack.push(blake3(data, { key }))
  },
}

const EMPTY = /*#__PURE__*/ new Uint8Array(0)

/*#__NO_SIDE_EFFECTS__*/
function hash(digest: (data: Uint8Array) => Uint8Array, unitsPerByte: number): Operation {
  return ({ stack, units }) => {
    const data = stack.pop()
    units.charge(unitsPerByte * data.length)
    stack.push(digest(data))
  }
}

function checkSignature(machine: Machine, scheme: SignatureScheme): boolean {
  const [signature = EMPTY, key = EMPTY] = machine.stack.take(2)
  return verifySignature(scheme, signature, key, machine)
}

function checkDigest(machine: Machine, scheme: SignatureScheme): boolean {
  const [signature = EMPTY, digest = EMPTY, key = EMPTY] = machine.stack.take(3)
  if (digest.length !== DIGEST) throw invalidState('message hash must be 32 bytes')
  return verifyDigest(scheme, signature, key, machine, () => digest)
}

/**
 * Verifies `signature` (with its sighash type byte) by `key` for the input of the machine. An empty signature is false.
 * Throws `ScriptError` for a malformed signature, type or key.
 */
function verifySignature(scheme: SignatureScheme, signature: Uint8Array, key: Uint8Array, machine: Machine): boolean {
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
function verifyDigest(
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

function toSighashType(byte: number): SighashType {
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

const MAX_KEYS = 20

/**
 * m of n: pops n, n keys, m and m signatures, and pushes whether each signature matches a key, in the same order. Every
 * tried key is charged. All signatures of a failed check must be empty, else the script fails.
 */
function checkMultiSignature(machine: Machine, scheme: SignatureScheme): void {
  const { stack } = machine
  const keys = popKeys(machine)
  const signatures = popSignatures(machine, keys.length)
  const isMet = signaturesMatch(machine, scheme, signatures, keys)
  if (!isMet && signatures.some(({ length }) => length > 0))
    throw new ScriptError('not all signatures empty on failed checkmultisig')
  stack.pushBoolean(isMet)
}

function popKeys(machine: Machine): readonly Uint8Array[] {
  const count = machine.stack.popInt32()
  if (count < 0) throw new ScriptError(`invalid pubkey count: number of pubkeys ${count} is negative`)
  if (count > MAX_KEYS) throw new ScriptError(`invalid pubkey count: too many pubkeys ${count} > ${MAX_KEYS}`)
  countOperations(machine, count)
  return machine.stack.take(count)
}

function popSignatures({ stack }: Machine, keys: number): readonly Uint8Array[] {
  const count = stack.popInt32()
  if (count < 0) throw new ScriptError(`invalid signature count: number of signatures ${count} is negative`)
  if (count > keys) throw new ScriptError(`invalid signature count: more signatures than pubkeys ${count} > ${keys}`)
  return stack.take(count)
}

function signaturesMatch(
  machine: Machine,
  scheme: SignatureScheme,
  signatures: readonly Uint8Array[],
  keys: readonly Uint8Array[],
): boolean {
  const remaining = [...keys]
  for (const [index, signature] of signatures.entries()) {
    const typeByte = signature.at(-1)
    if (typeByte === undefined) return false
    toSighashType(typeByte)
    for (let matches = false; !matches;) {
      const key = remaining.length < signatures.length - index ? undefined : remaining.shift()
      if (key === undefined) return false
      matches = verifySignature(scheme, signature, key, machine)
    }
  }
  return true
}
