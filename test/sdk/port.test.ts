import { schnorr } from '@noble/curves/secp256k1.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { loadSdk, type SdkLoader } from '../../src/sdk/wasm/load.js'
import hd from '../fixtures/consensus/hd.json' with { type: 'json' }
import messages from '../fixtures/consensus/messages.json' with { type: 'json' }
import { countedSdk } from './counted.js'

const [vector] = hd.vectors
const secret = { phrase: vector!.phrase, passphrase: vector!.passphrase }
const account = vector!.accounts['0']
const KEY = messages.privateKey
const HASH = new Uint8Array(32).fill(0x11)

/** The generations that can be had here; a module by its shape, never by its version. */
const GENERATIONS: [string, SdkLoader][] = [
  ['our converted glue', () => import('#sdk')],
  ['the stock CommonJS build', () => import('kaspa-wasm')],
]

describe.each(GENERATIONS)('the port, on %s', (_, load) => {
  let sdk: SdkPort
  beforeAll(async () => {
    sdk = await loadSdk(load)
  })

  it.each([12, 24] as const)('makes phrases of %i words that are valid, and never the same', (wordCount) => {
    const [one, two] = [sdk.generateMnemonic(wordCount), sdk.generateMnemonic(wordCount)]
    expect(one.split(' ')).toHaveLength(wordCount)
    expect(one).not.toBe(two)
    expect(sdk.isValidMnemonic(one)).toBe(true)
  })

  it('makes private keys that are never the same', () => {
    expect(sdk.generatePrivateKey()).toMatch(/^[0-9a-f]{64}$/)
    expect(sdk.generatePrivateKey()).not.toBe(sdk.generatePrivateKey())
  })

  it('derives the private keys of both chains', () => {
    const derive = (change: boolean) => (index: number) => sdk.derivePrivateKey(secret, { account: 0, change, index })
    expect([0, 1, 2].map(derive(false))).toEqual(account.receivePrivateKeys)
    expect([0, 1, 2].map(derive(true))).toEqual(account.changePrivateKeys)
  })

  it('derives the public keys of both chains, from anywhere', () => {
    const chain = { account: 0, change: false }
    expect(sdk.derivePublicKeys(secret, chain, 0, 3)).toEqual(account.receivePublicKeys)
    expect(sdk.derivePublicKeys(secret, { ...chain, change: true }, 1, 2)).toEqual(account.changePublicKeys.slice(1))
    expect(sdk.derivePublicKeys(secret, chain, 5, 0)).toEqual([])
  })

  it('reaches the last index of the last account', () => {
    const path = { account: 2 ** 31 - 1, change: true, index: 2 ** 31 - 1 }
    const privateKey = sdk.derivePrivateKey(secret, path)
    expect(sdk.derivePublicKeys(secret, path, path.index, 1)).toEqual([sdk.publicKey(privateKey).compressed])
  })

  it('tells a public key in both forms', () => {
    expect(sdk.publicKey(KEY)).toEqual({ compressed: messages.publicKey, xOnly: messages.xOnlyPublicKey })
  })

  it('tells the address of a public key, compressed or x-only, on every network', () => {
    const [publicKey] = account.receivePublicKeys
    for (const network of ['mainnet', 'testnet-10', 'simnet'] as const) {
      const [address] = account.networks[network].receive
      expect(sdk.address(publicKey!, network)).toBe(address)
      expect(sdk.address(publicKey!.slice(2), network)).toBe(address)
    }
    expect(sdk.address(publicKey!, 'testnet-12')).toBe(account.networks['testnet-10'].receive[0])
    expect(sdk.address(publicKey!, 'devnet')).toMatch(/^kaspadev:q/)
  })

  it('signs hashes, in order: push of 65 bytes, BIP-340 signature, SIGHASH_ALL', () => {
    const hashes = [HASH, new Uint8Array(32).fill(0x22), HASH]
    const scripts = sdk.signHashes(hashes, KEY)
    expect(scripts).toHaveLength(3)
    for (const [at, script] of scripts.entries()) {
      expect(script).toMatch(/^41[0-9a-f]{128}01$/)
      const signature = fromHex(script.slice(2, 130))
      expect(schnorr.verify(signature, hashes[at] ?? HASH, fromHex(messages.xOnlyPublicKey))).toBe(true)
    }
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

  it('hashes phrase and passphrase in the form that BIP-39 demands', () => {
    const path = { account: 0, change: false, index: 0 }
    const withPassphrase = (passphrase: string): string => sdk.derivePrivateKey({ ...secret, passphrase }, path)
    expect(withPassphrase('caf\u00e9')).toBe(withPassphrase('cafe\u0301'))
    expect(withPassphrase('caf\u00e9')).not.toBe(withPassphrase('cafe'))
    expect(sdk.isValidMnemonic(secret.phrase.replaceAll(' ', '\u3000'))).toBe(true)
  })

  it.each<[string, (sdk: SdkPort) => unknown]>([
    ['a private key of zero', (sdk) => sdk.publicKey('00'.repeat(32))],
    ['a private key beyond the order', (sdk) => sdk.signHashes([HASH], 'ff'.repeat(32))],
    ['a message key of zero', (sdk) => sdk.signMessage('m', '00'.repeat(32))],
    ['a public key that is no point', (sdk) => sdk.address('ff'.repeat(32), 'mainnet')],
    ['a verifying key that is no point', (sdk) => sdk.verifyMessage('m', '00'.repeat(64), `02${'ff'.repeat(32)}`)],
  ])('refuses %s with an error, not with bare text, and quotes nothing of it', (_case, call) => {
    const thrown = catchThrown(() => call(sdk))
    expect(thrown).toBeInstanceOf(Error)
    expect(String(thrown)).not.toMatch(/(00|ff){4}/)
  })
})

it('frees every WASM object before a call returns, also when the SDK refuses', async () => {
  const counted = await countedSdk()
  const sdk = await loadSdk(() => counted.load())
  const path = { account: 0, change: true, index: 7 }
  sdk.generateMnemonic(24)
  sdk.generatePrivateKey()
  sdk.derivePrivateKey(secret, path)
  sdk.derivePublicKeys(secret, path, 0, 20)
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
