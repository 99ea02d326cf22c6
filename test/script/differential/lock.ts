import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex } from '../../../src/model/hex.js'
import { ecdsaSighash, sighash, SIGHASH_TYPES, type SighashType } from '../../../src/model/sighash.js'
import type { Choose } from './choose.js'
import { KEY } from './operands.js'
import type { Spend } from './spend.js'
import { op, push, pushNumber, scriptHash } from './writing.js'

/** Puts a script into the spent output and the signature script of input 0, which pushes `first` before all else. */
export type Lock = (spend: Spend, body: string, first?: string) => Spend

/** The signatures that a script begins with: what the signature script pushes, and what the script does with it. */
interface Signed {
  readonly script: string
  readonly sign: (spend: Spend) => string
}

const UNSIGNED: Signed = { script: '', sign: () => '' }

/** Behind a script hash, or in the open, at a probability; one in twelve begins with signatures. */
export function randomLock(choose: Choose, hashed = 0.9): Lock {
  const { script, sign } = choose.is(0.08) ? randomSigned(choose) : UNSIGNED
  const isHashed = choose.is(hashed)
  const extra = choose.is(0.05) ? push(choose.bytes(3)) : ''
  return (spend, body, first = '') => {
    const whole = script + body
    const locked = lockedBy(spend, isHashed ? scriptHash(whole) : whole)
    return withSignatureScript(locked, first + extra + sign(locked) + (isHashed ? push(fromHex(whole)) : ''))
  }
}

function lockedBy(spend: Spend, script: string): Spend {
  const [first, ...others] = spend.spent
  return { ...spend, spent: [{ ...first!, scriptPublicKey: { version: 0, script } }, ...others] }
}

function withSignatureScript({ transaction, spent }: Spend, signatureScript: string): Spend {
  const [first, ...others] = transaction.inputs
  return { spent, transaction: { ...transaction, inputs: [{ ...first!, signatureScript }, ...others] } }
}

function randomSigned(choose: Choose): Signed {
  const type = choose.one(Object.values(SIGHASH_TYPES))
  const scheme = choose.one(['schnorr', 'ecdsa'] as const)
  const isWrong = choose.is(0.15)
  const sign = (spend: Spend): string => push(signature(spend, scheme, type, isWrong))
  const key = push(scheme === 'schnorr' ? schnorr.getPublicKey(KEY) : secp256k1.getPublicKey(KEY, true))
  if (choose.is(0.6)) return { script: key + op(scheme === 'schnorr' ? choose.one([0xac, 0xad]) : 0xab), sign }
  const other = push(choose.is(0.8) ? differentKey(scheme) : choose.bytes(32))
  const keys = choose.is(0.5) ? key + other : other + key
  const opcode = scheme === 'schnorr' ? choose.one([0xae, 0xaf]) : 0xa9
  return { script: pushNumber(1) + keys + pushNumber(2) + op(opcode), sign }
}

function differentKey(scheme: 'schnorr' | 'ecdsa'): Uint8Array {
  const other = new Uint8Array(32).fill(0x44)
  return scheme === 'schnorr' ? schnorr.getPublicKey(other) : secp256k1.getPublicKey(other, true)
}

function signature(
  { transaction, spent }: Spend,
  scheme: 'schnorr' | 'ecdsa',
  type: SighashType,
  isWrong: boolean,
): Uint8Array {
  const digest = (scheme === 'schnorr' ? sighash : ecdsaSighash)(transaction, 0, spent, type)
  const bytes =
    scheme === 'schnorr'
      ? schnorr.sign(digest, KEY, new Uint8Array(32))
      : secp256k1.sign(digest, KEY, { prehash: false, format: 'compact' })
  return Uint8Array.of(...(isWrong ? bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : bytes), type)
}
