import { HDKey } from '@scure/bip32'
import { ChainError } from '../errors/chain-error.js'
import { addressOfPublicKey } from '../model/address.js'
import { toHex } from '../model/hex.js'
import type { AddressPrefix } from '../model/network.js'

/**
 * The mnemonic of every devnode's accounts: the first test vector of BIP-39. Its keys are public: on a public network,
 * funds sent to its addresses are stolen within seconds.
 */
export const TEST_MNEMONIC =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** One of the accounts that a devnode funds at genesis. Its key is public. */
export interface DevnodeAccount {
  readonly index: number
  readonly address: string
  /** 32 bytes, hex. */
  readonly privateKeyHex: string
  /** 33 bytes, compressed, hex. */
  readonly publicKeyHex: string
  /** The derivation path of the key. */
  readonly path: string
}

/** The first `count` receive keys of the test mnemonic, by Kaspa's derivation path. */
export const deriveAccounts = (count: number, prefix: AddressPrefix): readonly DevnodeAccount[] =>
  receiveKeys(count).map((key, index) => ({
    index,
    address: addressOfPublicKey(key.publicKeyHex, prefix),
    ...key,
    path: `${RECEIVE_PATH}/${index}`,
  }))

const RECEIVE_PATH = "m/44'/111111'/0'/0"

/** The extended key of the test mnemonic at `RECEIVE_PATH`, whose derivation takes 30 ms. */
const RECEIVE_KEY =
  'xprvA24FufSEb5GBw3kMR6URcsxeA9CtRYB6pgd476v7xAnQAicGS1PCyRsYnWfpEJhDh6umUqGZ6esat1qM67HJdgk3ca4ZMqM1i3uQu9CjroQ'

type ReceiveKey = Pick<DevnodeAccount, 'privateKeyHex' | 'publicKeyHex'>

/** The keys that were derived in this process: tests start many devnodes. */
const derived: ReceiveKey[] = []

function receiveKeys(count: number): readonly ReceiveKey[] {
  if (derived.length < count) {
    const receive = HDKey.fromExtendedKey(RECEIVE_KEY)
    while (derived.length < count) derived.push(deriveKey(receive, derived.length))
  }
  return derived.slice(0, count)
}

function deriveKey(receive: HDKey, index: number): ReceiveKey {
  const { privateKey, publicKey } = receive.deriveChild(index)
  // BIP-32: one index in 2^127 has no key
  if (privateKey === null || publicKey === null) throw new ChainError(`The test mnemonic has no key at index ${index}`)
  return { privateKeyHex: toHex(privateKey), publicKeyHex: toHex(publicKey) }
}
