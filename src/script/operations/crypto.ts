import { blake2b } from '@noble/hashes/blake2.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { blake2b256 } from '../../model/hashing.js'
import { assertTrue, type Machine, type Operation, type Operations } from '../machine.js'
import { checkMultiSignature } from '../multi-signature.js'
import { invalidState, ScriptError } from '../script-error.js'
import { verifyDigest, verifySignature } from '../signatures.js'
import { assertElementSize } from '../stack.js'
import type { SignatureScheme } from '../verify-on-curve.js'

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
