import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import type { HDKey } from '@scure/bip32'

/** Bytes of a compressed key. */
const KEY_SIZE = 33

/**
 * The public keys below an extended public key, compressed, by their index below 2^31 (BIP-32): those of `deriveChild`,
 * in a third of its time. Public keys need no multiplication in constant time, and the parent is decoded once.
 */
export function childKeysOf(node: HDKey): (index: number) => Uint8Array {
  const { publicKey, chainCode } = node
  if (publicKey === null || chainCode === null) throw new TypeError('An extended public key has a key and a chain code')
  const { BASE, Fn } = secp256k1.Point
  const parent = secp256k1.Point.fromBytes(publicKey)
  const data = new Uint8Array(KEY_SIZE + 4)
  data.set(publicKey)
  const view = new DataView(data.buffer)
  return (index) => {
    view.setUint32(KEY_SIZE, index)
    const tweak = Fn.fromBytes(hmac(sha512, chainCode, data).subarray(0, 32), true)
    return Fn.isValidNot0(tweak) ? parent.add(BASE.multiplyUnsafe(tweak)).toBytes() : nextValid(node, index)
  }
}

/** One index in 2^127 has no key; what takes its place is the library's to say. */
function nextValid(node: HDKey, index: number): Uint8Array {
  const { publicKey } = node.deriveChild(index)
  if (publicKey === null) throw new TypeError('The derived key is missing')
  return publicKey
}
