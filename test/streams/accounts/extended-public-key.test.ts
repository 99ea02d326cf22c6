import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainCryptoError } from '../../../src/errors/crypto-error.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { NETWORKS } from '../../../src/model/network.js'
import { createLightPort } from '../../../src/sdk/light/adapter.js'
import { parseExtendedPublicKey } from '../../../src/streams/accounts/account.js'
import { runs } from '../../full.js'
import vectors from '../../fixtures/accounts/extended-public-keys.json' with { type: 'json' }

const [vector] = vectors
const { phrase, kpub, ktub, xpub } = vector!
const light = createLightPort()

const KASPA = { public: 0x038f332e, private: 0x038f2ef4 }
const TEST_NETWORK = { public: 0x0390a241, private: 0x03909e07 }

/** The key at a path, written with the versions of a network. */
const keyAt = (path: string, versions = KASPA): HDKey =>
  HDKey.fromMasterSeed(new Uint8Array(32).fill(7), versions).derive(path)

function refusal(text: unknown, network: 'mainnet' | 'simnet' = 'simnet'): string {
  try {
    parseExtendedPublicKey(text, network)
  } catch (error) {
    expect(error).toBeInstanceOf(ChainCryptoError)
    expect(error).toMatchObject({ code: 'invalid-key', argument: 'extendedPublicKey' })
    return String(error)
  }
  throw new Error('It was accepted')
}

describe('an extended public key', () => {
  it('derives the addresses of every vector, in every spelling, on the network of the engine', () => {
    for (const { kpub, ktub, xpub, ...networks } of vectors) {
      for (const network of ['mainnet', 'testnet-10', 'simnet'] as const) {
        for (const text of network === 'mainnet' ? [kpub, xpub] : [kpub, ktub, xpub]) {
          const key = parseExtendedPublicKey(text, network)
          const { receive, change } = networks[network]
          expect(receive.map((_, index) => key.address(false, index))).toEqual(receive)
          expect(change.map((_, index) => key.address(true, index))).toEqual(change)
        }
      }
    }
  })

  it('derives what derivePublicKeys derives from the mnemonic, up to the last index', () => {
    const key = parseExtendedPublicKey(kpub, 'mainnet')
    const index = fc.oneof(fc.nat(1000), fc.integer({ min: 2 ** 31 - 1000, max: 2 ** 31 - 1 }))
    const property = fc.property(fc.boolean(), index, (change, start) => {
      const [publicKey] = light.derivePublicKeys({ phrase, passphrase: '' }, { account: 0, change }, start, 1)
      expect(key.address(change, start)).toBe(addressOfPublicKey(publicKey!, NETWORKS.mainnet.addressPrefix))
    })
    fc.assert(property, { numRuns: runs(20, 1_000) })
  })

  it('is the same key in every spelling', () => {
    const ids = [kpub, ktub, xpub].map((text) => parseExtendedPublicKey(text, 'simnet').id)
    expect(new Set(ids).size).toBe(1)
  })

  it.each([
    ['m', 'depth 0'],
    ["m/44'/111111'", 'depth 2'],
    ["m/44'/111111'/0'/0", 'depth 4'],
    ["m/44'/111111'/0", 'the child of an index that is not hardened'],
  ])('is refused at %s', (path, reason) => {
    expect(refusal(keyAt(path).publicExtendedKey)).toContain(reason)
  })

  it('is refused where it belongs to a test network and the network is mainnet', () => {
    expect(refusal(ktub, 'mainnet')).toContain('A ktub is a key of a test network, and the network is mainnet')
  })

  it.each([
    ['kprv', keyAt("m/44'/111111'/0'").privateExtendedKey],
    ['ktrv', keyAt("m/44'/111111'/0'", TEST_NETWORK).privateExtendedKey],
    ['xprv', HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).privateExtendedKey],
    ['kprv', ` ${keyAt("m/44'/111111'/0'").privateExtendedKey}\n`],
  ])('is no %s: refused in words, without quoting any part of it', (prefix, text) => {
    expect(text.trim().startsWith(prefix)).toBe(true)
    const error = refusal(text)
    expect(error).toContain('This is an extended private key, which can spend everything of the account')
    const quoted = Array.from({ length: text.length - 7 }, (_, at) => text.slice(at, at + 8))
    expect(quoted.filter((part) => error.includes(part))).toEqual([])
  })

  it.each([
    ['', 'does not begin with kpub, ktub or xpub'],
    ['tpubD6NzVbkrYhZ4', 'does not begin with kpub, ktub or xpub'],
    [undefined, 'is not a string'],
    [kpub.slice(0, -1), 'The text is damaged'],
    [kpub.replace('2', '3'), 'The text is damaged'],
    [`${kpub} `, 'The text is damaged'],
    [kpub.replace('2', '0'), 'The text is damaged'],
    [`xpub${kpub.slice(4)}`, 'The text is damaged'],
    [`kpub${'z'.repeat(1_000_000)}`, 'is longer than an extended public key'],
  ])('is refused where it is damaged (%#)', (text, reason) => {
    const error = refusal(text)
    expect(error).toContain(reason)
    expect(error).not.toContain(kpub.slice(10, 30))
  })
})
