import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { writeAccountKey } from '../../../src/model/keys.js'
import { accountValueOf, type CosigningAccountSettings } from '../../../src/model/cosigning/account-value.js'
import { readDescriptor } from '../../../src/model/cosigning/cosigners.js'
import { spendingBytes } from '../../../src/model/cosigning/redeem-script.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import vectors from '../../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }

const { kpubs, xpubs, threshold, addresses, orderByXpub } = vectors
const [kpubA = '', kpubB = '', kpubC = ''] = kpubs
const settings = { threshold: 2, keys: kpubs }

const PUBLIC = { public: 0x038f332e, private: 0x038f2ef4 }

/** The key of an account of a seed, with the versions of `kpub` and `kprv`. */
const accountOfSeed = (byte: number, path = "m/45'/111111'/0'"): HDKey =>
  HDKey.fromMasterSeed(new Uint8Array(32).fill(byte), PUBLIC).derive(path)

/** 21 keys. */
const many = Array.from({ length: 21 }, (_, at) => accountOfSeed(at + 1).publicExtendedKey)

function refusal(given: Partial<CosigningAccountSettings>, network: ChainNetwork = 'simnet'): ChainError {
  try {
    accountValueOf({ ...settings, ...given }, network)
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
  throw new Error('It was accepted')
}

describe('an account of several keys', () => {
  it('derives the keys and addresses of the vectors, in any order and spelling of the keys', () => {
    for (const keys of [kpubs, xpubs, [kpubC, xpubs[0]!, kpubB]]) {
      const schnorr = accountValueOf({ threshold, keys }, 'simnet')
      const ecdsa = accountValueOf({ threshold, keys, ecdsa: true }, 'simnet')
      expect(schnorr.cosigners.map(({ xpub }) => xpub)).toEqual(orderByXpub.map((at) => xpubs[at]))
      for (const { cosigner, change, index, publicKeys, ...expected } of keys === kpubs
        ? addresses
        : addresses.slice(-1)) {
        const path = { cosigner, change, index }
        expect(schnorr.publicKeys(path)).toEqual(publicKeys)
        expect([schnorr.addressAt(path), ecdsa.addressAt(path)]).toEqual([expected.address, expected.ecdsa])
      }
    }
  })

  it('has a redeem script of M, the keys, N and the check of its signatures', () => {
    const path = { cosigner: 1, change: false, index: 7 }
    const [schnorr, ecdsa] = [
      accountValueOf(settings, 'simnet'),
      accountValueOf({ ...settings, ecdsa: true }, 'simnet'),
    ]
    const keys = schnorr.publicKeys(path)
    expect(schnorr.redeemScript(path)).toBe(`52${keys.map((key) => `20${key.slice(2)}`).join('')}53ae`)
    expect(ecdsa.redeemScript(path)).toBe(`52${keys.map((key) => `21${key}`).join('')}53a9`)
    expect(spendingBytes(2, schnorr.redeemScript(path))).toBe(2 * 66 + 2 + 102)
  })

  it('writes one descriptor for all orders and spellings, and reads it back', () => {
    const mainnet = accountValueOf({ threshold: 2, keys: [kpubB, xpubs[0]!, kpubC] }, 'mainnet')
    expect(mainnet.descriptor).toBe(`multi_hd45(2,${[kpubC, kpubA, kpubB].join(',')})`)
    expect(accountValueOf({ ...settings, keys: xpubs }, 'mainnet').descriptor).toBe(mainnet.descriptor)
    for (const ecdsa of [false, true]) {
      const { descriptor } = accountValueOf({ ...settings, ecdsa }, 'simnet')
      expect(descriptor).toMatch(ecdsa ? /^multi_hd45_ecdsa\(2,ktub/ : /^multi_hd45\(2,ktub/)
      const read = accountValueOf({ ...readDescriptor(` ${descriptor.replaceAll(',', ', ')}\n`), own: kpubB }, 'simnet')
      expect(read).toMatchObject({ descriptor, ecdsa, threshold: 2, ownCosigner: 2 })
      expect(read.own).toBe(read.keys[2])
    }
  })

  it.each([
    ['', 'has another form'],
    ['multi_hd45(2)', 'has another form'],
    [`multi_hd(2,${kpubA},${kpubB})`, 'has another form'],
    [`multi_hd45(2,${kpubA},${kpubB}`, 'has another form'],
    [`multi_hd45(2,${kpubA},${kpubB})#1`, 'has another form'],
    [`multi_hd45(-1,${kpubA},${kpubB})`, 'has another form'],
    [`multi_hd45(2,${kpubA},,${kpubB})`, 'has another form'],
    [`multi_hd45(2,${'k'.repeat(2_000)})`, 'is too long'],
    [7, 'is not a string'],
  ])('refuses the descriptor %#, which %s', (text, what) => {
    expect(() => readDescriptor(text)).toThrow(
      expect.objectContaining({ argument: 'descriptor', message: `The descriptor ${what}` }),
    )
  })

  it.each([0, -1, 1.5, 4, Number.NaN, '2', undefined])('refuses the threshold %s of 3', (given) => {
    expect(refusal({ threshold: given as number })).toMatchObject({
      code: 'invalid-argument',
      argument: 'threshold',
      message: `The threshold is ${String(given)} of 3 keys`,
    })
    if (typeof given === 'number' && given >= 0 && Number.isInteger(given))
      expect(() => accountValueOf(readDescriptor(`multi_hd45(${given},${kpubs.join(',')})`), 'simnet')).toThrow(
        `The threshold is ${given} of 3 keys`,
      )
  })

  it('refuses less than 2 and more than 15 keys', () => {
    for (const count of [0, 1, 16, 20, 21]) {
      expect(refusal({ threshold: 1, keys: many.slice(0, count) })).toMatchObject({
        argument: 'keys',
        message: `The account has ${count} keys; it needs 2 to 15`,
      })
    }
    expect(accountValueOf({ threshold: 15, keys: many.slice(0, 15) }, 'mainnet').keys).toHaveLength(15)
    expect(refusal({ keys: undefined as never }).argument).toBe('keys')
  })

  it('refuses a key twice, in two spellings, and with other data beside it', () => {
    const message = 'Keys 1 and 3 are the same key'
    expect(refusal({ keys: [kpubA, kpubB, kpubA] })).toMatchObject({ argument: 'keys', message })
    expect(refusal({ keys: [kpubA, kpubB, xpubs[0]!] })).toMatchObject({ argument: 'keys', message })
    const { depth, index, chainCode, publicKey } = accountOfSeed(1)
    const negated = Uint8Array.of(publicKey![0]! ^ 1, ...publicKey!.subarray(1))
    const twin = new HDKey({ versions: PUBLIC, depth, index, chainCode: chainCode!, publicKey: negated })
    expect(refusal({ keys: [accountOfSeed(1).publicExtendedKey, kpubB, twin.publicExtendedKey] }).message).toBe(message)
  })

  it.each([
    ['another depth', "m/45'/111111'", 'Key 2: The key has depth 2; the key of an account has depth 3'],
    [
      'an index that is not hardened',
      "m/45'/111111'/0",
      'Key 2: The key is the child of an index that is not hardened',
    ],
  ])('refuses a key of %s', (_, path, message) => {
    const key = accountOfSeed(3, path).publicExtendedKey
    expect(refusal({ keys: [kpubA, key] })).toMatchObject({ code: 'invalid-argument', argument: 'keys', message })
  })

  it('refuses the key of a test network on mainnet', () => {
    const node = accountOfSeed(3)
    const ktub = writeAccountKey({ node, publicKey: node.publicKey! }, 'ktub')
    const message = 'Key 2: A ktub is a key of a test network, and the network is mainnet'
    expect(refusal({ keys: [kpubA, ktub] }, 'mainnet')).toMatchObject({ argument: 'keys', message })
    expect(accountValueOf({ threshold: 2, keys: [kpubA, ktub] }, 'testnet-10').keys[0]).toMatch(/^ktub/)
  })

  it('refuses private and damaged keys without quoting them', () => {
    const secret = accountOfSeed(3).privateExtendedKey
    const damaged = `${kpubB.slice(0, 60)}${kpubB[60] === 'a' ? 'b' : 'a'}${kpubB.slice(61)}`
    for (const [text, reason] of [
      [secret, 'This is an extended private key'],
      [` ${secret}`, 'This is an extended private key'],
      [damaged, 'The text is damaged'],
      [vectors.mnemonics[0]!, 'The text does not begin with'],
    ] as const) {
      for (const given of [{ keys: [kpubA, text] }, { own: text }]) {
        const error = refusal(given)
        expect(error.argument).toBe('keys' in given ? 'keys' : 'own')
        expect(error.message).toContain(reason)
        expect([error.toString(), JSON.stringify(error), String(error.cause), error.stack].join('\n')).not.toContain(
          text.trim().slice(4, 40),
        )
      }
    }
  })

  it('refuses an own key that is none of the keys', () => {
    expect(refusal({ own: accountOfSeed(3).publicExtendedKey })).toMatchObject({
      argument: 'own',
      message: 'The own key is not among the keys of the account',
    })
  })

  it('refuses paths outside of its branches', () => {
    const account = accountValueOf(settings, 'simnet')
    const path = { cosigner: 0, change: false, index: 0 }
    for (const [argument, value] of [
      ['cosigner', 3],
      ['cosigner', -1],
      ['cosigner', undefined],
      ['change', 1],
      ['index', 2 ** 31],
      ['index', 0.5],
    ] as const) {
      expect(() => account.addressAt({ ...path, [argument]: value })).toThrow(
        expect.objectContaining({ code: 'invalid-argument', argument }),
      )
    }
  })
})
