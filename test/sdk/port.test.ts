import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { light } from '../../src/sdk/light/light.js'
import { createAdapter } from '../../src/sdk/wasm/adapter.js'
import { instantiate, loadSdk } from '../../src/sdk/wasm/load.js'
import { toKaspaSdk } from '../../src/sdk/wasm/shape.js'
import extendedKeys from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import hd from '../fixtures/consensus/hd.json' with { type: 'json' }
import messages from '../fixtures/consensus/messages.json' with { type: 'json' }
import cosigners from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }
import { countedSdk } from './counted-sdk.js'

const [vector] = hd.vectors
const secret = { phrase: vector!.phrase, passphrase: vector!.passphrase }
const account = vector!.accounts['0']
const KEY = messages.privateKey
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const UNCOMPRESSED = toHex(secp256k1.getPublicKey(fromHex(KEY), false))
const HASH = new Uint8Array(32).fill(0x11)

/** Every implementation of the port: SDK modules of different formats, and `light`. */
const PORTS: [string, () => Promise<SdkPort>][] = [
  ['our converted glue', () => loadSdk(() => import('#sdk'))],
  ['the stock CommonJS build', () => loadSdk(() => import('kaspa-wasm'))],
  ['light', () => light.loadPort()],
]

describe.each(PORTS)('the port, on %s', (_, load) => {
  let sdk: SdkPort
  beforeAll(async () => {
    sdk = await load()
  })

  it.each([12, 24] as const)('generates valid mnemonics of %i words, each different', (wordCount) => {
    const [one, two] = [sdk.generateMnemonic(wordCount), sdk.generateMnemonic(wordCount)]
    expect(one.split(' ')).toHaveLength(wordCount)
    expect(one).not.toBe(two)
    expect(sdk.isValidMnemonic(one)).toBe(true)
  })

  it('generates different private keys', () => {
    expect(sdk.generatePrivateKey()).toMatch(/^[0-9a-f]{64}$/)
    expect(sdk.generatePrivateKey()).not.toBe(sdk.generatePrivateKey())
  })

  it('derives the private keys of both chains', () => {
    const derive = (change: boolean) => (index: number) => sdk.derivePrivateKey(secret, { account: 0, change, index })
    expect([0, 1, 2].map(derive(false))).toEqual(account.receivePrivateKeys)
    expect([0, 1, 2].map(derive(true))).toEqual(account.changePrivateKeys)
  })

  it('derives the public keys of both chains from any index', () => {
    const chain = { account: 0, change: false }
    expect(sdk.derivePublicKeys(secret, chain, 0, 3)).toEqual(account.receivePublicKeys)
    expect(sdk.derivePublicKeys(secret, { ...chain, change: true }, 1, 2)).toEqual(account.changePublicKeys.slice(1))
    expect(sdk.derivePublicKeys(secret, chain, 5, 0)).toEqual([])
  })

  it('derives the last index of the last account', () => {
    const path = { account: 2 ** 31 - 1, change: true, index: 2 ** 31 - 1 }
    const privateKey = sdk.derivePrivateKey(secret, path)
    expect(sdk.derivePublicKeys(secret, path, path.index, 1)).toEqual([sdk.publicKey(privateKey).compressed])
  })

  it.each(extendedKeys)('derives the extended public key of account $account', (expected) => {
    const of = { phrase: expected.phrase, passphrase: '' }
    const derive = (prefix: 'kpub' | 'ktub'): string =>
      sdk.deriveExtendedPublicKey(of, { account: expected.account, purpose: 44 }, prefix)
    expect([derive('kpub'), derive('ktub')]).toEqual([expected.kpub, expected.ktub])
  })

  it("derives the extended public keys of cosigners, m/45'/111111'/0'", () => {
    const derive = (phrase: string): string =>
      sdk.deriveExtendedPublicKey({ phrase, passphrase: '' }, { account: 0, purpose: 45 }, 'kpub')
    expect(cosigners.mnemonics.map(derive)).toEqual(cosigners.kpubs)
  })

  it("derives the private keys of cosigners, m/45'/111111'/0'/cosigner/change/index", () => {
    for (const { publicKeys, cosigner, change, index } of cosigners.addresses.slice(-4)) {
      const path = { account: 0, cosigner, change, index }
      const keys = cosigners.mnemonics.map((phrase) => sdk.derivePrivateKey({ phrase, passphrase: '' }, path))
      const sorted = cosigners.orderByXpub.map((at) => sdk.publicKey(keys[at] ?? '').compressed)
      expect(sorted).toEqual(publicKeys)
    }
  })

  it('returns a public key in both forms', () => {
    expect(sdk.publicKey(KEY)).toEqual({ compressed: messages.publicKey, xOnly: messages.xOnlyPublicKey })
  })

  it('returns the address of a public key, compressed or x-only, on every network', () => {
    const [publicKey] = account.receivePublicKeys
    for (const network of ['mainnet', 'testnet-10', 'simnet'] as const) {
      const [address] = account.networks[network].receive
      expect(sdk.address(publicKey!, network)).toBe(address)
      expect(sdk.address(publicKey!.slice(2), network)).toBe(address)
    }
    expect(sdk.address(publicKey!, 'testnet-12')).toBe(account.networks['testnet-10'].receive[0])
    expect(sdk.address(publicKey!, 'devnet')).toMatch(/^kaspadev:q/)
  })

  it('signs hashes in order: push of 65 bytes, BIP-340 signature, SIGHASH_ALL', () => {
    const hashes = [HASH, new Uint8Array(32).fill(0x22), HASH]
    const scripts = sdk.signHashes(hashes, KEY)
    expect(scripts).toHaveLength(3)
    for (const [at, script] of scripts.entries()) {
      expect(script).toMatch(/^41[0-9a-f]{128}01$/)
      const signature = fromHex(script.slice(2, 130))
      expect(schnorr.verify(signature, hashes[at] ?? HASH, fromHex(messages.xOnlyPublicKey))).toBe(true)
    }
  })

  it.each(['00'.repeat(31) + '01', ORDER.replace(/1$/, '0')])(
    'signs with the key %s at the edge of the range',
    (key) => {
      const { xOnly, compressed } = sdk.publicKey(key)
      const [script = ''] = sdk.signHashes([HASH], key)
      expect(schnorr.verify(fromHex(script.slice(2, 130)), HASH, fromHex(xOnly))).toBe(true)
      expect(sdk.verifyMessage('m', sdk.signMessage('m', key), compressed)).toBe(true)
    },
  )

  it('signs the hashes of several keys asynchronously, where it can, and rejects an invalid key', async () => {
    if (sdk.signHashesAsync === undefined) return // signHashes does not block for long
    const requests = [KEY, '00'.repeat(31) + '02'].map((privateKey) => ({ hashes: [HASH, HASH], privateKey }))
    const signed = await sdk.signHashesAsync(requests)
    for (const [at, { privateKey }] of requests.entries()) {
      const key = fromHex(sdk.publicKey(privateKey).xOnly)
      expect(signed[at]).toHaveLength(2)
      expect(signed[at]?.every((script) => schnorr.verify(fromHex(script.slice(2, 130)), HASH, key))).toBe(true)
    }
    await expect(sdk.signHashesAsync([{ hashes: [HASH], privateKey: ORDER }])).rejects.toThrow('The private key')
  })

  it('signs and verifies messages', () => {
    const signature = sdk.signMessage(messages.message, KEY)
    expect(schnorr.verify(fromHex(signature), fromHex(messages.messageHash), fromHex(messages.xOnlyPublicKey))).toBe(
      true,
    )
    expect(sdk.verifyMessage(messages.message, signature, messages.publicKey)).toBe(true)
    expect(sdk.verifyMessage(messages.message, signature, messages.xOnlyPublicKey)).toBe(true)
    expect(sdk.verifyMessage(`${messages.message} `, signature, messages.publicKey)).toBe(false)
  })

  it('normalises mnemonic and passphrase as BIP-39 requires', () => {
    const path = { account: 0, change: false, index: 0 }
    const withPassphrase = (passphrase: string): string => sdk.derivePrivateKey({ ...secret, passphrase }, path)
    expect(withPassphrase('caf\u00e9')).toBe(withPassphrase('cafe\u0301'))
    expect(withPassphrase('caf\u00e9')).not.toBe(withPassphrase('cafe'))
    const spellings = ['\u3000', '\u00a0'].map((space) => secret.phrase.replaceAll(' ', space))
    const fullWidth = secret.phrase.replace('abandon', 'ａｂａｎｄｏｎ')
    for (const phrase of [...spellings, fullWidth]) {
      expect(sdk.isValidMnemonic(phrase)).toBe(true)
      expect(sdk.derivePrivateKey({ ...secret, phrase }, path)).toBe(sdk.derivePrivateKey(secret, path))
    }
  })

  it.each([15, 18, 21])('refuses mnemonics of %i words', (count) => {
    const phrase = entropyToMnemonic(new Uint8Array((count / 3) * 4), wordlist)
    const path = { account: 0, change: false, index: 0 }
    expect(sdk.isValidMnemonic(phrase)).toBe(false)
    expect(() => sdk.derivePrivateKey({ ...secret, phrase }, path)).toThrow('The mnemonic is not valid')
    expect(() => sdk.derivePublicKeys({ ...secret, phrase }, path, 0, 1)).toThrow('The mnemonic is not valid')
  })

  it('derives nothing from a mnemonic with a wrong checksum', () => {
    const phrase = Array.from({ length: 12 }, () => 'abandon').join(' ')
    expect(() => sdk.derivePrivateKey({ ...secret, phrase }, { account: 0, change: false, index: 0 })).toThrow(
      'The mnemonic is not valid',
    )
  })

  it.each<[string, (sdk: SdkPort) => unknown]>([
    ['a private key of zero', (sdk) => sdk.publicKey('00'.repeat(32))],
    ['a private key beyond the order', (sdk) => sdk.signHashes([HASH], 'ff'.repeat(32))],
    ['a message key of zero', (sdk) => sdk.signMessage('m', '00'.repeat(32))],
    ['a public key that is not on the curve', (sdk) => sdk.address('ff'.repeat(32), 'mainnet')],
    [
      'a verifying key that is not on the curve',
      (sdk) => sdk.verifyMessage('m', '00'.repeat(64), `02${'ff'.repeat(32)}`),
    ],
    ['a private key equal to the order', (sdk) => sdk.publicKey(ORDER)],
    ['a message key equal to the order', (sdk) => sdk.signMessage('m', ORDER)],
    ['a signing key equal to the order', (sdk) => sdk.signHashes([HASH], ORDER)],
    ['a signing key of zero', (sdk) => sdk.signHashes([HASH], '00'.repeat(32))],
    ['a private key of 31 bytes', (sdk) => sdk.publicKey('00'.repeat(31))],
    ['an uncompressed public key', (sdk) => sdk.address(UNCOMPRESSED, 'mainnet')],
    ['an uncompressed verifying key', (sdk) => sdk.verifyMessage('m', '00'.repeat(64), UNCOMPRESSED)],
    ['a public key that begins with 04', (sdk) => sdk.address(`04${messages.xOnlyPublicKey}`, 'mainnet')],
    ['a public key that begins with 05', (sdk) => sdk.address(`05${messages.xOnlyPublicKey}`, 'mainnet')],
    [
      'a signature with trailing bytes',
      (sdk) => sdk.verifyMessage(messages.message, `${sdk.signMessage(messages.message, KEY)}00`, messages.publicKey),
    ],
    ['a signature of 63 bytes', (sdk) => sdk.verifyMessage('m', '00'.repeat(63), messages.publicKey)],
    ['a verifying key that begins with 04', (sdk) => sdk.verifyMessage('m', '00'.repeat(64), `04${'00'.repeat(32)}`)],
    ['a public key of 31 bytes', (sdk) => sdk.address('00'.repeat(31), 'mainnet')],
    ['a hash of 31 bytes', (sdk) => sdk.signHashes([HASH, HASH.subarray(1)], KEY)],
    ['a hardened index', (sdk) => sdk.derivePrivateKey(secret, { account: 0, change: false, index: 2 ** 31 })],
    [
      'a hardened branch of a cosigner',
      (sdk) => sdk.derivePrivateKey(secret, { account: 0, cosigner: 2 ** 31, change: false, index: 0 }),
    ],
    [
      'a range beyond the last index',
      (sdk) => sdk.derivePublicKeys(secret, { account: 0, change: false }, 2 ** 31 - 1, 2),
    ],
    ['a hardened account', (sdk) => sdk.deriveExtendedPublicKey(secret, { account: 2 ** 31, purpose: 44 }, 'kpub')],
    [
      'a passphrase with a lone surrogate',
      (sdk) => sdk.derivePrivateKey({ ...secret, passphrase: '\ud800' }, { account: 0, change: false, index: 0 }),
    ],
  ])('rejects %s with an Error that does not quote it', (_case, call) => {
    const thrown = catchThrown(() => call(sdk))
    expect(thrown).toBeInstanceOf(Error)
    expect(String(thrown)).not.toMatch(/(00|ff){4}/)
  })
})

it('frees every WASM object before a call returns, also when the SDK throws', async () => {
  const counted = await countedSdk()
  const sdk = createAdapter(toKaspaSdk(await instantiate(await counted.load())), (call) => call()) // without checks
  const path = { account: 0, change: true, index: 7 }
  sdk.generateMnemonic(24)
  sdk.generatePrivateKey()
  sdk.derivePrivateKey(secret, path)
  sdk.derivePublicKeys(secret, path, 0, 20)
  sdk.deriveExtendedPublicKey(secret, { account: 0, purpose: 45 }, 'ktub')
  sdk.address(sdk.publicKey(KEY).xOnly, 'mainnet')
  sdk.signHashes([HASH, HASH], KEY)
  sdk.verifyMessage('m', sdk.signMessage('m', KEY), toHex(schnorr.getPublicKey(fromHex(KEY))))
  catchThrown(() => sdk.address(messages.publicKey, 'nowhere' as 'mainnet'))
  catchThrown(() => sdk.derivePrivateKey(secret, { ...path, index: 2 ** 31 }))
  catchThrown(() => sdk.signHashes([HASH, HASH.subarray(1)], KEY))
  expect(counted.made()).toBeGreaterThan(15)
  expect(counted.live()).toBe(0)
})

function catchThrown(call: () => unknown): unknown {
  try {
    call()
  } catch (thrown) {
    return thrown
  }
  throw new Error('Nothing was thrown')
}
