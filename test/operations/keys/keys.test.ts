import { expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createKeys, type KeyOperations } from '../../../src/operations/keys/keys.js'
import hd from '../../fixtures/consensus/hd.json' with { type: 'json' }
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import { loadKeys } from './load-keys.js'

const { phrase, accounts } = hd.vectors[0]!
const keys = await loadKeys()

it('mnemonicToKeypair derives the first receive key by default', () => {
  const [first, second] = accounts['0'].networks.mainnet.receive
  expect(keys.mnemonicToKeypair(phrase, 'mainnet').address).toBe(first)
  expect(keys.mnemonicToKeypair(phrase, 'mainnet', { index: 1 }).address).toBe(second)
  const change = keys.mnemonicToKeypair(phrase, 'mainnet', { account: 1, index: 2, change: true })
  expect(change.address).toBe(accounts['1'].networks.mainnet.change[2])
})

it('derivePublicKeys derives ten keys of each chain by default', () => {
  const { receive, change } = keys.derivePublicKeys(phrase, 'simnet')
  expect([receive.length, change.length]).toEqual([10, 10])
  expect(keys.derivePublicKeys(phrase, 'simnet', 0, 2).receive).toEqual([])
  expect(keys.derivePublicKeys(phrase, 'simnet', 2, 0, { start: 8 }).receive).toEqual(receive.slice(8))
})

it('generateMnemonic returns 24 words by default', () => {
  expect(keys.generateMnemonic().wordCount).toBe(24)
  expect(keys.generateMnemonic(12).phrase.split(' ')).toHaveLength(12)
})

it('generateKeypair returns a new key with an address of the network', () => {
  const [one, two] = [keys.generateKeypair('testnet-12'), keys.generateKeypair('testnet-12')]
  expect(one.privateKeyHex).not.toBe(two.privateKeyHex)
  expect(one.publicKeyHex).toMatch(/^0[23][0-9a-f]{64}$/)
  expect(keys.createAddress(one.publicKeyHex, 'testnet-12')).toBe(one.address)
  expect(keys.isValidAddress(one.address, 'testnet-12')).toBe(true)
})

it('accepts keys and signatures in upper case', () => {
  const { privateKeyHex, publicKeyHex, address } = keys.mnemonicToKeypair(phrase, 'mainnet')
  const signed = keys.signMessage('m', privateKeyHex.toUpperCase())
  expect(signed.publicKeyHex).toBe(publicKeyHex)
  expect(keys.verifyMessage('m', signed.signature.toUpperCase(), publicKeyHex.toUpperCase())).toBe(true)
  expect(keys.createAddress(publicKeyHex.toUpperCase(), 'mainnet')).toBe(address)
})

it('converts amounts exactly', () => {
  expect(keys.kaspaToSompi('0.00000001')).toBe(1n)
  expect(keys.sompiToKaspa(150_000_000n)).toBe('1.5')
  expect(keys.sompiToKaspaString(150_000_000n, 2)).toBe('1.50')
  expect(keys.currencyUnit('testnet-10')).toBe('TKAS')
  expect(keys.numberToKaspa(150_000_000n, 'simnet')).toBe('1.5 SKAS')
  expect(keys.numberToSompi(1.5)).toBe(150_000_000n)
})

it.each<[string, (keys: KeyOperations) => unknown]>([
  ['generateMnemonic', (early) => early.generateMnemonic()],
  ['generateKeypair', (early) => early.generateKeypair('simnet')],
  ['mnemonicToKeypair', (early) => early.mnemonicToKeypair(phrase, 'simnet')],
  ['derivePublicKeys', (early) => early.derivePublicKeys(phrase, 'simnet')],
  ['derivePrivateKey', (early) => early.derivePrivateKey(phrase, 'simnet', { index: 0 })],
  ['createAddress', (early) => early.createAddress('02', 'simnet')],
  ['isValidMnemonic', (early) => early.isValidMnemonic('')],
  ['signMessage', (early) => early.signMessage('m', '')],
  ['verifyMessage', (early) => early.verifyMessage('m', '', '')],
])('%s throws ChainNotReadyError before WASM is ready', (operation, call) => {
  const early = createKeys((name) => {
    throw new ChainNotReadyError(name)
  })
  expect(() => call(early)).toThrow(`"${operation}" was called before the Kaspa WASM module was ready`)
})

it('addresses and amounts need no WASM', () => {
  const early = createKeys(() => scriptedSdk())
  expect(early.isValidAddress(accounts['0'].networks.mainnet.receive[0]!)).toBe(true)
  expect(early.currencyUnit()).toBe('KAS')
})

it('rethrows a panic of the SDK unchanged', () => {
  const panic = new ChainError('The Kaspa WASM module has panicked', { code: 'wasm-panicked' })
  const broken = createKeys(() =>
    scriptedSdk({
      generateMnemonic: () => {
        throw panic
      },
    }),
  )
  expect(() => broken.generateMnemonic()).toThrow(panic)
})

it('wraps other errors of the SDK in ChainCryptoError with the cause', () => {
  const cause = new Error('no randomness here')
  const failing = createKeys(() =>
    scriptedSdk({
      generatePrivateKey: () => {
        throw cause
      },
    }),
  )
  expect(() => failing.generateKeypair('simnet')).toThrow(
    expect.objectContaining({ message: 'Crypto operation "generateKeypair" failed', code: 'failed', cause }),
  )
})
