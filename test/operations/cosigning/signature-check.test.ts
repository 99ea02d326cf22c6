import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/model/hex.js'
import { createSignatureCheck, toScriptCheck } from '../../../src/operations/cosigning/verify-signature.js'

const [first, second] = [1, 2].map((byte) => {
  const key = new Uint8Array(32).fill(byte)
  return { key, publicKey: toHex(secp256k1.getPublicKey(key, true)) }
}) as [{ key: Uint8Array; publicKey: string }, { key: Uint8Array; publicKey: string }]
const hash = new Uint8Array(32).fill(7)
const otherHash = new Uint8Array(32).fill(8)

describe.each([false, true])('a check that remembers, ECDSA %s', (isEcdsa) => {
  const signature = toHex(isEcdsa ? secp256k1.sign(hash, first.key, { prehash: false }) : schnorr.sign(hash, first.key))
  const flipped = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`

  it('takes no other signature, hash, or key for one that it knows', () => {
    const isValid = createSignatureCheck()
    for (let round = 0; round < 2; round++) {
      expect(isValid(signature, hash, first.publicKey, isEcdsa)).toBe(true)
      expect(isValid(flipped, hash, first.publicKey, isEcdsa)).toBe(false)
      expect(isValid(signature, otherHash, first.publicKey, isEcdsa)).toBe(false)
      expect(isValid(signature, hash, second.publicKey, isEcdsa)).toBe(false)
      expect(isValid(signature, hash, first.publicKey, !isEcdsa)).toBe(false)
    }
  })

  it('says the same to the script machine, whose keys of Schnorr are x-only', () => {
    const verify = toScriptCheck(createSignatureCheck())
    const [scheme, start] = isEcdsa ? (['ecdsa', 0] as const) : (['schnorr', 2] as const)
    const check = (text: string, digest: Uint8Array, publicKey: string): boolean =>
      verify(scheme, Buffer.from(text, 'hex'), digest, Buffer.from(publicKey.slice(start), 'hex'))
    for (let round = 0; round < 2; round++) {
      expect(check(signature, hash, first.publicKey)).toBe(true)
      expect(check(flipped, hash, first.publicKey)).toBe(false)
      expect(check(signature, otherHash, first.publicKey)).toBe(false)
      expect(check(signature, hash, second.publicKey)).toBe(false)
    }
  })
})
