import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../../../src/model/address.js'
import { fromHex } from '../../../src/model/hex.js'
import { verification } from '../../../src/engine/verification.js'
import { loadKeys } from './load-keys.js'

const wasm = await loadKeys()
const { address, privateKeyHex, publicKeyHex } = wasm.generateKeypair('simnet')
const message = 'Sign in'
const { signature } = wasm.signMessage(message, privateKeyHex)
const key = fromHex(publicKeyHex)

describe.each([
  ['without WASM', verification],
  ['with the WASM SDK', wasm],
])('verifyMessage({ address, message, signature }) %s', (_, { verifyMessage }) => {
  it('accepts the signature of the key of the address, in either case', () => {
    expect(verifyMessage({ address, message, signature })).toBe(true)
    expect(verifyMessage({ address, message, signature: signature.toUpperCase() })).toBe(true)
  })

  it.each([
    ['another address', { address: wasm.generateKeypair('simnet').address }],
    ['another message', { message: 'Sign in.' }],
    ['an address with a wrong checksum', { address: `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}` }],
    [
      'an address that is not a point of the curve',
      { address: encodeAddress('kaspasim', 'PubKey', new Uint8Array(32)) },
    ],
    ['a signature with trailing bytes', { signature: `${signature}00` }],
    ['a signature that is not hex', { signature: 'AAAA' }],
    ['a message with a lone surrogate', { message: '\ud800' }],
  ])('returns false for %s', (_case, changed) => {
    expect(verifyMessage({ address, message, signature, ...changed })).toBe(false)
  })

  it.each([
    ['ECDSA', encodeAddress('kaspasim', 'PubKeyECDSA', key), 'an ECDSA'],
    ['script-hash', encodeAddress('kaspasim', 'ScriptHash', key.subarray(1)), 'a script-hash'],
  ])('throws for %s addresses', (_case, unsupported, kind) => {
    expect(() => verifyMessage({ address: unsupported, message, signature })).toThrow(
      expect.objectContaining({
        code: 'unsupported-address',
        argument: 'address',
        details: `A message cannot be verified with ${kind} address`,
      }),
    )
  })

  it('throws for a wrong argument type', () => {
    const numeric = { address, message, signature: 7 as unknown as string }
    expect(() => verifyMessage(numeric)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'signature' }),
    )
  })
})
