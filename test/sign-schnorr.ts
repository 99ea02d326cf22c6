import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { toHex } from '../src/model/hex.js'

const { BASE, Fn, Fp } = secp256k1.Point
const { taggedHash } = schnorr.utils
const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)

/** A key as BIP-340 has it: the x of its point, and the one of two scalars whose point has an even y. */
interface EvenKey {
  readonly x: Uint8Array
  readonly scalar: bigint
}

function toEvenKey(scalar: bigint): EvenKey {
  const { x, y } = BASE.multiply(scalar).toAffine()
  return { x: Fp.toBytes(x), scalar: y % 2n === 0n ? scalar : Fn.neg(scalar) }
}

const keys = new Map<string, EvenKey>()

function keyOf(privateKey: Uint8Array): EvenKey {
  const hex = toHex(privateKey)
  const key = keys.get(hex) ?? toEvenKey(toNumber(privateKey))
  keys.set(hex, key)
  return key
}

/**
 * As `schnorr.sign` without auxiliary randomness, in a quarter of its time: that verifies each signature again, which
 * the node of a test does anyway, and derives the public key.
 */
export function signSchnorr(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const { x, scalar } = keyOf(privateKey)
  const masked = Fn.toBytes(scalar ^ toNumber(taggedHash('BIP0340/aux', new Uint8Array(32))))
  const nonce = toEvenKey(Fn.create(toNumber(taggedHash('BIP0340/nonce', masked, x, message))))
  const challenge = Fn.create(toNumber(taggedHash('BIP0340/challenge', nonce.x, x, message)))
  return Uint8Array.of(...nonce.x, ...Fn.toBytes(Fn.create(nonce.scalar + challenge * scalar)))
}
