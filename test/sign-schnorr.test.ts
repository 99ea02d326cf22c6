import { schnorr } from '@noble/curves/secp256k1.js'
import { expect, it } from 'vitest'
import { signSchnorr } from './sign-schnorr.js'

it.each([1, 2, 3, 4, 5, 6])('signs as BIP-340 without auxiliary randomness, key %i', (byte) => {
  const key = new Uint8Array(32).fill(byte)
  const message = new Uint8Array(32).fill(255 - byte)
  expect(signSchnorr(message, key)).toEqual(schnorr.sign(message, key, new Uint8Array(32)))
})
