import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
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
export function deriveAccounts(count: number, prefix: AddressPrefix): readonly DevnodeAccount[] {
  const receive = HDKey.fromMasterSeed(mnemonicToSeedSync(TEST_MNEMONIC)).derive(RECEIVE_PATH)
  return Array.from({ length: count }, (_, index) => deriveAccount(receive, index, prefix))
}

const RECEIVE_PATH = "m/44'/111111'/0'/0"

function deriveAccount(receive: HDKey, index: number, prefix: AddressPrefix): DevnodeAccount {
  const { privateKey, publicKey } = receive.deriveChild(index)
  // BIP-32: one index in 2^127 has no key
  if (privateKey === null || publicKey === null) throw new ChainError(`The test mnemonic has no key at index ${index}`)
  const publicKeyHex = toHex(publicKey)
  return {
    index,
    address: addressOfPublicKey(publicKeyHex, prefix),
    privateKeyHex: toHex(privateKey),
    publicKeyHex,
    path: `${RECEIVE_PATH}/${index}`,
  }
}
