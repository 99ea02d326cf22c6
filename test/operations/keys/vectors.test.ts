import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../../src/model/hex.js'
import addresses from '../../fixtures/consensus/addresses.json' with { type: 'json' }
import hd from '../../fixtures/consensus/hd.json' with { type: 'json' }
import messages from '../../fixtures/consensus/messages.json' with { type: 'json' }
import walletA from '../../fixtures/wallets/walletA.json' with { type: 'json' }
import walletB from '../../fixtures/wallets/walletB.json' with { type: 'json' }
import bip39 from './bip39-vectors.json' with { type: 'json' }
import { loadKeys } from './load-keys.js'

const keys = await loadKeys()
const NETWORKS = ['mainnet', 'testnet-10', 'simnet'] as const

describe.each(hd.vectors)("a mnemonic of Kaspa wallets, passphrase '$passphrase'", (vector) => {
  it.each(['0', '1'] as const)('derives the public keys and addresses of account %s', (name) => {
    const { networks, ...account } = vector.accounts[name]
    const options = { account: Number(name), passphrase: vector.passphrase }
    for (const network of NETWORKS) {
      const { receive, change } = keys.derivePublicKeys(vector.phrase, network, 3, 3, options)
      expect(receive.map(({ address }) => address)).toEqual(networks[network].receive)
      expect(change.map(({ address }) => address)).toEqual(networks[network].change)
      expect(receive.map(({ publicKeyHex }) => publicKeyHex)).toEqual(account.receivePublicKeys)
      expect(change.map(({ publicKeyHex }) => publicKeyHex)).toEqual(account.changePublicKeys)
      expect(change.map(({ index }) => index)).toEqual([0, 1, 2])
    }
  })

  it.each(['0', '1'] as const)('derives the private keys of account %s', (name) => {
    const { receivePrivateKeys, changePrivateKeys, ...account } = vector.accounts[name]
    const derive = (change: boolean) => (index: number) =>
      keys.derivePrivateKey(vector.phrase, 'simnet', { account: Number(name), index, change }, vector.passphrase)
    expect([0, 1, 2].map(derive(false))).toEqual(
      receivePrivateKeys.map((privateKeyHex, index) => ({
        privateKeyHex,
        publicKeyHex: account.receivePublicKeys[index],
        address: account.networks.simnet.receive[index],
      })),
    )
    expect([0, 1, 2].map(derive(true)).map(({ privateKeyHex }) => privateKeyHex)).toEqual(changePrivateKeys)
  })
})

it.each(bip39.vectors as [string, string][])(
  'derives the expected seed of the BIP-39 mnemonic "%s"',
  (phrase, seed) => {
    const own = HDKey.fromMasterSeed(fromHex(seed)).derive("m/44'/111111'/0'/0/0")
    expect(keys.mnemonicToKeypair(phrase, 'mainnet', { passphrase: 'TREZOR' })).toMatchObject({
      privateKeyHex: toHex(own.privateKey!),
      publicKeyHex: toHex(own.publicKey!),
    })
  },
)

describe('addresses', () => {
  it.each(addresses.rows)('$network: the Schnorr address of key $p2pk.payload', (row) => {
    const network = row.network as (typeof NETWORKS)[number]
    expect(keys.createAddress(row.p2pk.payload, network)).toBe(row.p2pk.address)
    expect(keys.createAddress(row.ecdsa.payload, network)).toBe(row.p2pk.address)
    for (const { address } of [row.p2pk, row.ecdsa, row.p2sh]) expect(keys.isValidAddress(address, network)).toBe(true)
  })

  it('are invalid on other networks and with a changed character', () => {
    const { address } = addresses.rows[0]!.p2pk
    expect(keys.isValidAddress(address, 'simnet')).toBe(false)
    expect(keys.isValidAddress(address.replace(/.$/, 'q'))).toBe(false)
    expect(keys.isValidAddress('')).toBe(false)
  })
})

describe('messages', () => {
  it.each(messages.vectors)('signed by $signedBy are verified', ({ signature }) => {
    expect(keys.verifyMessage(messages.message, signature, messages.publicKey)).toBe(true)
    expect(keys.verifyMessage(messages.message, signature, messages.xOnlyPublicKey)).toBe(true)
    expect(keys.verifyMessage(`${messages.message}!`, signature, messages.publicKey)).toBe(false)
  })

  it('signed here carry message, signature and public key', () => {
    const signed = keys.signMessage(messages.message, messages.privateKey)
    expect(signed).toEqual({
      message: messages.message,
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      publicKeyHex: messages.publicKey,
    })
    expect(keys.verifyMessage(signed.message, signed.signature, signed.publicKeyHex)).toBe(true)
  })

  /** The recorded wallets use the test mnemonic and sign with its first receive key. */
  const { publicKeyHex } = keys.mnemonicToKeypair(hd.vectors[0]!.phrase, 'mainnet')
  it.each([...recordedSignatures('wallet A', walletA.entries), ...recordedSignatures('wallet B', walletB.entries)])(
    'signed in %s are verified: %j',
    (_, message, signature) => {
      expect(keys.verifyMessage(message, signature, publicKeyHex)).toBe(true)
    },
  )
})

/** The approved signatures among a recording's steps. */
function recordedSignatures(wallet: string, entries: readonly object[]): [string, string, string][] {
  return entries.flatMap((entry) => {
    const step = entry as { call?: string; arguments?: unknown; resolved?: { value?: unknown } }
    const signature = step.resolved?.value
    const message: unknown = Array.isArray(step.arguments) ? step.arguments[0] : undefined
    const isSigned = step.call?.endsWith('.signMessage') === true && typeof signature === 'string'
    return isSigned && typeof message === 'string' ? [[wallet, message, signature]] : []
  })
}
