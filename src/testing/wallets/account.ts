import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../model/address.js'
import { blake2bKeyed } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { AddressPrefix } from '../../model/network.js'

/** An account of a fake wallet, with a real key, so that its signatures can be verified. */
export interface FakeAccount {
  /** Compressed, 66 hex digits. */
  readonly publicKey: string
  /** Uncompressed, 130 hex digits, as hardware wallets return it. */
  readonly uncompressedKey: string
  addressOn(network: string): string
  /** The wallets' signature of a message: 128 hex digits, randomised. */
  signMessage(message: string): string
  /** A BIP-340 signature of 32 bytes, hex. */
  signHash(hash: Uint8Array): string
}

/**
 * The private keys of the first three receiving addresses of the public test mnemonic ("abandon" eleven times, then
 * "about"). Never send funds to them.
 */
const KEYS = [
  '24cd8d2875e8e17e4f88fbc554834a89b7b3e0c6f9d84fae36883604359ba440',
  '03c8757528d03aeaa7af44bb90deed1a8aa4263b257f0499c3b12270a7dbe7d1',
  '08fe94ac0287c013e2699743b32fdcdde799f669a6690d615e2aa7b8b3912c7a',
]

/** The accounts of every fake wallet. */
export const createFakeAccounts = (): readonly FakeAccount[] => KEYS.map(createFakeAccount)

function createFakeAccount(privateKeyHex: string): FakeAccount {
  const key = fromHex(privateKeyHex)
  const publicKey = toHex(secp256k1.getPublicKey(key, true))
  const signHash = (hash: Uint8Array): string => toHex(schnorr.sign(hash, key))
  return {
    publicKey,
    uncompressedKey: toHex(secp256k1.getPublicKey(key, false)),
    addressOn: (network) => addressOfPublicKey(publicKey, prefixOf(network)),
    signMessage: (message) => signHash(blake2bKeyed('PersonalMessageSigningHash', new TextEncoder().encode(message))),
    signHash,
  }
}

/** The address prefix of a network; wallets also know `testnet-11`. */
export function prefixOf(network: string): AddressPrefix {
  if (network.startsWith('testnet')) return 'kaspatest'
  if (network === 'devnet') return 'kaspadev'
  return network === 'simnet' ? 'kaspasim' : 'kaspa'
}
