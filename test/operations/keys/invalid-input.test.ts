import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChainCryptoError } from '../../../src/errors/crypto-error.js'
import type { KeyOperations } from '../../../src/operations/keys/keys.js'
import { loadKeys } from './load-keys.js'

const keys = await loadKeys()

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const WORDS = MNEMONIC.split(' ')
const KEY = 'c0ffee5ec7e7000000000000000000000000000000000000000000000000beef'
const PUBLIC_KEY = keys.signMessage('', KEY).publicKeyHex
const SIGNATURE = keys.signMessage('m', KEY).signature
const nowhere = 'testnet-11' as 'simnet'

/** Must not appear in any error. */
const SECRETS = [KEY, 'c0ffee', 'sausage', 'swordfish', 'a\u0301sword']

type Case = [title: string, operation: string, argument: string, code: string, call: (keys: KeyOperations) => unknown]
const derive = (path: object) => (k: KeyOperations) =>
  k.derivePrivateKey(MNEMONIC, 'simnet', { index: 0, ...path }, 'a\u0301sword')
const open = (phrase: string) => (k: KeyOperations) =>
  k.mnemonicToKeypair(phrase, 'simnet', { passphrase: 'swordfish' })
const sign = (key: unknown) => (k: KeyOperations) => k.signMessage('m', key as string)
const verify = (signature: string, key: string) => (k: KeyOperations) => k.verifyMessage('m', signature, key)
const address = (key: string) => (k: KeyOperations) => k.createAddress(key, 'simnet')

const CASES: Case[] = [
  ['11 words', 'mnemonicToKeypair', 'mnemonic', 'invalid-mnemonic', open(WORDS.slice(1).join(' '))],
  [
    'a word outside the list',
    'mnemonicToKeypair',
    'mnemonic',
    'invalid-mnemonic',
    open(MNEMONIC.replace('year', 'jahr')),
  ],
  ['a wrong checksum', 'mnemonicToKeypair', 'mnemonic', 'invalid-mnemonic', open(MNEMONIC.replace('yellow', 'year'))],
  ['double spaces', 'mnemonicToKeypair', 'mnemonic', 'invalid-mnemonic', open(WORDS.join('  '))],
  ['capitals', 'mnemonicToKeypair', 'mnemonic', 'invalid-mnemonic', open(MNEMONIC.toUpperCase())],
  ['no words', 'mnemonicToKeypair', 'mnemonic', 'invalid-mnemonic', open('')],
  ['a lone surrogate', 'mnemonicToKeypair', 'mnemonic', 'invalid-argument', open(`${MNEMONIC}\ud83d`)],
  [
    'a passphrase that is not text',
    'derivePrivateKey',
    'passphrase',
    'invalid-argument',
    (k) => k.derivePrivateKey(MNEMONIC, 'simnet', { index: 0 }, 7 as unknown as string),
  ],
  ['a negative index', 'derivePrivateKey', 'path.index', 'invalid-argument', derive({ index: -1 })],
  ['a hardened index', 'derivePrivateKey', 'path.index', 'invalid-argument', derive({ index: 2 ** 31 })],
  ['an index that is text', 'derivePrivateKey', 'path.index', 'invalid-argument', derive({ index: '0' })],
  ['an account that is text', 'derivePrivateKey', 'path.account', 'invalid-argument', derive({ account: '0' })],
  ['a change that is text', 'derivePrivateKey', 'path.change', 'invalid-argument', derive({ change: '0' })],
  ['a change that is a number', 'derivePrivateKey', 'path.change', 'invalid-argument', derive({ change: 0 })],
  [
    'a change that is text',
    'mnemonicToKeypair',
    'options.change',
    'invalid-argument',
    (k) => k.mnemonicToKeypair(MNEMONIC, 'simnet', { change: 'false' as unknown as boolean, passphrase: 'swordfish' }),
  ],
  ['a fractional index', 'derivePrivateKey', 'path.index', 'invalid-argument', derive({ index: 0.5 })],
  ['a hardened account', 'derivePrivateKey', 'path.account', 'invalid-argument', derive({ account: 2 ** 31 })],
  [
    'a cosigner with purpose 44',
    'derivePrivateKey',
    'path.cosigner',
    'invalid-argument',
    derive({ index: 0, cosigner: 1 }),
  ],
  [
    'purpose 45 without a cosigner',
    'derivePrivateKey',
    'path.cosigner',
    'invalid-argument',
    derive({ index: 0, purpose: 45 }),
  ],
  [
    'a hardened cosigner',
    'derivePrivateKey',
    'path.cosigner',
    'invalid-argument',
    derive({ index: 0, purpose: 45, cosigner: 2 ** 31 }),
  ],
  [
    'a purpose that wallets do not have',
    'mnemonicToKeypair',
    'options.purpose',
    'invalid-argument',
    (k) => k.mnemonicToKeypair(MNEMONIC, 'simnet', { purpose: 84 as 44 }),
  ],
  [
    'an account that is not a number',
    'mnemonicToKeypair',
    'options.account',
    'invalid-argument',
    (k) => k.mnemonicToKeypair(MNEMONIC, 'simnet', { account: Number.NaN }),
  ],
  [
    'a negative number of keys',
    'derivePublicKeys',
    'receiveCount',
    'invalid-argument',
    (k) => k.derivePublicKeys(MNEMONIC, 'simnet', -1),
  ],
  [
    'keys beyond the last index',
    'derivePublicKeys',
    'changeCount',
    'invalid-argument',
    (k) => k.derivePublicKeys(MNEMONIC, 'simnet', 0, 2, { start: 2 ** 31 - 1 }),
  ],
  [
    'a hardened account',
    'deriveExtendedPublicKey',
    'options.account',
    'invalid-argument',
    (k) => k.deriveExtendedPublicKey(MNEMONIC, 'simnet', { account: 2 ** 31, passphrase: 'swordfish' }),
  ],
  [
    'a purpose that wallets do not have',
    'deriveExtendedPublicKey',
    'options.purpose',
    'invalid-argument',
    (k) => k.deriveExtendedPublicKey(MNEMONIC, 'simnet', { purpose: 84 as 44, passphrase: 'swordfish' }),
  ],
  [
    'an unknown network',
    'deriveExtendedPublicKey',
    'network',
    'invalid-argument',
    (k) => k.deriveExtendedPublicKey(MNEMONIC, nowhere),
  ],
  ['13 words', 'generateMnemonic', 'wordCount', 'invalid-argument', (k) => k.generateMnemonic(13 as 12)],
  ['an unknown network', 'generateKeypair', 'network', 'invalid-argument', (k) => k.generateKeypair(nowhere)],
  ['an unknown network', 'createAddress', 'network', 'invalid-argument', (k) => k.createAddress(PUBLIC_KEY, nowhere)],
  [
    'an unknown network',
    'mnemonicToKeypair',
    'network',
    'invalid-argument',
    (k) => k.mnemonicToKeypair(MNEMONIC, nowhere),
  ],
  ['a key of 31 bytes', 'signMessage', 'privateKeyHex', 'invalid-key', sign(KEY.slice(2))],
  ['a key with an odd digit', 'signMessage', 'privateKeyHex', 'invalid-key', sign(KEY.slice(1))],
  ['a key with 0x', 'signMessage', 'privateKeyHex', 'invalid-key', sign(`0x${KEY}`)],
  ['a key that is not hex', 'signMessage', 'privateKeyHex', 'invalid-key', sign(KEY.replace('c0', 'z0'))],
  ['no key', 'signMessage', 'privateKeyHex', 'invalid-key', sign(undefined)],
  ['a key of zero', 'signMessage', 'privateKeyHex', 'invalid-key', sign('00'.repeat(32))],
  ['a key beyond the order', 'signMessage', 'privateKeyHex', 'invalid-key', sign('ff'.repeat(32))],
  ['a lone surrogate', 'signMessage', 'message', 'invalid-argument', (k) => k.signMessage('\udc00', KEY)],
  ['a signature too short', 'verifyMessage', 'signature', 'invalid-signature', verify(SIGNATURE.slice(2), PUBLIC_KEY)],
  ['a signature in base64', 'verifyMessage', 'signature', 'invalid-signature', verify('AAAA', PUBLIC_KEY)],
  ['a key too short', 'verifyMessage', 'publicKeyHex', 'invalid-key', verify(SIGNATURE, PUBLIC_KEY.slice(4))],
  [
    'a key that is not a curve point',
    'verifyMessage',
    'publicKeyHex',
    'invalid-key',
    verify(SIGNATURE, 'ff'.repeat(32)),
  ],
  ['an uncompressed key', 'createAddress', 'publicKeyHex', 'invalid-key', address(`04${'11'.repeat(64)}`)],
  [
    'a key with an invalid parity byte',
    'createAddress',
    'publicKeyHex',
    'invalid-key',
    address(`05${'11'.repeat(32)}`),
  ],
  ['a key that is not a curve point', 'createAddress', 'publicKeyHex', 'invalid-key', address(`02${'ff'.repeat(32)}`)],
]

describe('invalid input is rejected:', () => {
  it.each(CASES)('%s (%s)', (_, operation, argument, code, call) => {
    const error = catchThrown(() => call(keys))
    expect(error).toBeInstanceOf(ChainCryptoError)
    expect(error).toMatchObject({ message: `Crypto operation "${operation}" failed`, operation, argument, code })
    expect(error).toMatchObject({ hint: expect.any(String), cause: expect.any(Error) })
    const output = inspect(error, { depth: Infinity, showHidden: true }).toLowerCase()
    for (const secret of SECRETS) expect(output).not.toContain(secret)
  })

  it('11 words, with their number, without the words', () => {
    const error = catchThrown(() => open(WORDS.slice(1).join(' '))(keys))
    expect(error).toMatchObject({
      hint: 'A mnemonic is 12 or 24 English BIP-39 words in lower case, separated by single spaces.',
      cause: new Error('The mnemonic has 11 words'),
    })
  })

  it('a key of the wrong length, with its length, without the key', () => {
    expect(catchThrown(() => sign(KEY.slice(2))(keys))).toMatchObject({
      cause: new Error('The private key is not 32 bytes in hex (62 characters)'),
    })
  })
})

it('isValidAddress and isValidMnemonic never throw', () => {
  for (const text of ['', 'kaspa:', 'sausage', undefined as unknown as string, '\ud800']) {
    expect(keys.isValidAddress(text)).toBe(false)
    expect(keys.isValidMnemonic(text)).toBe(false)
  }
  expect(keys.isValidAddress('kaspa:qq', nowhere)).toBe(false)
})

function catchThrown(call: () => unknown): unknown {
  try {
    call()
  } catch (thrown) {
    return thrown
  }
  throw new Error('Nothing was thrown')
}
