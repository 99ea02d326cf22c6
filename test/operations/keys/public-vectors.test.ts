import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { decodeAddress, encodeAddress, type AddressVersion } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import vectors from './public-vectors.json' with { type: 'json' }
import { loadKeys } from './load-keys.js'

const keys = await loadKeys()

/** The first public keys of a chain of an account. */
const publicKeysOf = (account: HDKey, chain: 0 | 1, count: number): string[] =>
  Array.from({ length: count }, (_, index) => toHex(account.deriveChild(chain).deriveChild(index).publicKey!))

describe('matches the vectors of rusty-kaspa:', () => {
  it.each(vectors.mnemonics)('the address at index $index on $network', ({ phrase, network, index, address }) => {
    const { receive } = keys.derivePublicKeys(phrase, network as ChainNetwork, index + 1, 0)
    expect(receive[index]?.address).toBe(address)
    expect(keys.mnemonicToKeypair(phrase, network as ChainNetwork, { index }).address).toBe(address)
  })

  it.each(vectors.accounts)('all keys of $extendedPublicKey', ({ phrase, network, extendedPublicKey }) => {
    const versions = vectors.versions[extendedPublicKey.startsWith('kpub') ? 'kpub' : 'ktub']
    const account = HDKey.fromExtendedKey(extendedPublicKey, versions)
    expect(keys.deriveExtendedPublicKey(phrase, network as ChainNetwork)).toBe(extendedPublicKey)
    const { receive, change } = keys.derivePublicKeys(phrase, network as ChainNetwork, 5, 5)
    expect(receive.map(({ publicKeyHex }) => publicKeyHex)).toEqual(publicKeysOf(account, 0, 5))
    expect(change.map(({ publicKeyHex }) => publicKeyHex)).toEqual(publicKeysOf(account, 1, 5))
  })

  it('the addresses of its keys at our derivation path', () => {
    const { masterPrivateKey, receive, change, testnet } = vectors.extended
    const account = HDKey.fromExtendedKey(masterPrivateKey, vectors.versions.kpub).derive("m/44'/111111'/0'")
    const addresses = (chain: 0 | 1, count: number, network: ChainNetwork): string[] =>
      publicKeysOf(account, chain, count).map((key) => keys.createAddress(key, network))
    expect(addresses(0, receive.length, 'mainnet')).toEqual(receive)
    expect(addresses(1, change.length, 'mainnet')).toEqual(change)
    expect(addresses(0, testnet.length, 'testnet-10')).toEqual(testnet)
  })
})

it.each(vectors.messages)('verifies the published signature of "$message"', ({ message, signature, publicKey }) => {
  expect(keys.verifyMessage(message, signature, publicKey)).toBe(true)
  expect(keys.verifyMessage(`${message} `, signature, publicKey)).toBe(false)
})

it.each(vectors.addresses)('encodes $address as kaspad (Go) does', (vector) => {
  const { prefix, version, payload } = decodeAddress(vector.address)
  expect({ version, payload: toHex(payload) }).toEqual({ version: vector.version, payload: vector.payload })
  expect(encodeAddress(prefix, vector.version as AddressVersion, fromHex(vector.payload))).toBe(vector.address)
})

it.each(vectors.noAddresses)('rejects %s as an address', (text) => {
  expect(keys.isValidAddress(text)).toBe(false)
})
