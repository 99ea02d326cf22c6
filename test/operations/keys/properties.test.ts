import { schnorr } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { parseExtendedPublicKey } from '../../../src/streams/accounts/account.js'
import { loadKeys } from './load-keys.js'
import { runs } from '../../full.js'

/** Compared with @scure and @noble, which are independent of the SDK. */
const keys = await loadKeys()

const index = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const start = fc.integer({ min: 0, max: 2 ** 31 - 2 }) // start + count stays below 2 ** 31
const phrase = fc
  .oneof(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map((entropy) => entropyToMnemonic(entropy, wordlist))
const passphrase = fc.string({ unit: 'grapheme', maxLength: 30 })
const message = fc.string({ unit: 'grapheme', maxLength: 200 })
const privateKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => key.some((byte) => byte !== 0) && key[0] !== 0xff)
  .map(toHex)

const hdKey = (words: string, secret: string, path: string): HDKey =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(words, secret)).derive(path)

it('derives the same keys as @scure for any mnemonic, passphrase and path', () => {
  fc.assert(
    fc.property(phrase, passphrase, index, start, fc.boolean(), (words, secret, account, at, change) => {
      const theirs = hdKey(words, secret, `m/44'/111111'/${account}'/${change ? 1 : 0}/${at}`)
      const publicKeyHex = toHex(theirs.publicKey!)
      const ours = keys.derivePrivateKey(words, 'mainnet', { account, index: at, change }, secret)
      expect(ours).toEqual({
        privateKeyHex: toHex(theirs.privateKey!),
        publicKeyHex,
        address: addressOfPublicKey(publicKeyHex, 'kaspa'),
      })
      const options = { account, start: at, passphrase: secret }
      const derived = keys.derivePublicKeys(words, 'mainnet', change ? 0 : 1, change ? 1 : 0, options)
      expect(change ? derived.change : derived.receive).toEqual([{ index: at, publicKeyHex, address: ours.address }])
    }),
    { numRuns: runs(60) },
  )
})

it('derives the extended public key of an account, from which its addresses derive', () => {
  fc.assert(
    fc.property(phrase, passphrase, index, start, fc.boolean(), (words, secret, account, at, change) => {
      const text = keys.deriveExtendedPublicKey(words, 'testnet-10', { account, passphrase: secret })
      const parsed = parseExtendedPublicKey(text, 'testnet-10')
      const path = { account, index: at, change }
      expect(parsed.address(change, at)).toBe(keys.derivePrivateKey(words, 'testnet-10', path, secret).address)
      expect(parsed.path).toBe(`m/44'/111111'/${account}'`)
    }),
    { numRuns: runs(10) },
  )
})

it('generates mnemonics valid for @scure, and accepts valid mnemonics of @scure', () => {
  fc.assert(
    fc.property(phrase, fc.constantFrom<(12 | 24)[]>(12, 24), (theirs, wordCount) => {
      const ours = keys.generateMnemonic(wordCount)
      expect(ours.phrase.split(' ')).toHaveLength(ours.wordCount)
      expect(validateMnemonic(ours.phrase, wordlist)).toBe(true)
      expect(keys.isValidMnemonic(theirs)).toBe(true)
    }),
    { numRuns: runs(30) },
  )
})

it('agrees with @scure on the validity of mnemonics with replaced words', () => {
  fc.assert(
    fc.property(phrase, fc.nat(23), fc.constantFrom(...wordlist), (words, at, word) => {
      const list = words.split(' ')
      list[at % list.length] = word
      expect(keys.isValidMnemonic(list.join(' '))).toBe(validateMnemonic(list.join(' '), wordlist))
    }),
  )
})

it('signs messages with BIP-340 over the keyed hash, verifiable by @noble and vice versa', () => {
  const key = utf8ToBytes('PersonalMessageSigningHash')
  fc.assert(
    fc.property(message, privateKey, (text, privateKeyHex) => {
      const hash = blake2b(utf8ToBytes(text), { key, dkLen: 32 })
      const signed = keys.signMessage(text, privateKeyHex)
      const publicKey = schnorr.getPublicKey(fromHex(privateKeyHex))
      expect(schnorr.verify(fromHex(signed.signature), hash, publicKey)).toBe(true)
      expect(keys.verifyMessage(text, toHex(schnorr.sign(hash, fromHex(privateKeyHex))), toHex(publicKey))).toBe(true)
    }),
    { numRuns: runs(30) },
  )
})

it('rejects an altered message, signature or key', () => {
  fc.assert(
    fc.property(message, privateKey, privateKey, fc.nat(511), (text, privateKeyHex, otherKey, bit) => {
      const { signature, publicKeyHex } = keys.signMessage(text, privateKeyHex)
      const altered = fromHex(signature)
      altered[bit >> 3]! ^= 1 << (bit & 7)
      expect(keys.verifyMessage(text, toHex(altered), publicKeyHex)).toBe(false)
      expect(keys.verifyMessage(`${text}.`, signature, publicKeyHex)).toBe(false)
      const other = keys.signMessage('', otherKey).publicKeyHex
      fc.pre(other !== publicKeyHex)
      expect(keys.verifyMessage(text, signature, other)).toBe(false)
    }),
    { numRuns: runs(30) },
  )
})
