import { ChainCryptoError } from '../../errors/crypto-error.js'
import { HARDENED, decodeAccountKey, childKeysOf } from '../../model/keys.js'
import { encodeAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

/** The public keys below an account key: addresses by chain and index. */
export interface ExtendedPublicKey {
  /** The same text for every spelling of one key. */
  readonly id: string
  /** The path of the account: m/44'/111111'/account'. */
  readonly path: string
  address(change: boolean, index: number): string
}

/**
 * Parses the extended public key of an account, m/44'/111111'/account'. Throws `ChainCryptoError` (`invalid-key`);
 * neither the error nor its cause holds the text.
 */
export function parseExtendedPublicKey(text: unknown, network: ChainNetwork): ExtendedPublicKey {
  const { node: account } = decodeAccountKey(text, network, "m/44'/111111'/account'", invalidKey)
  const receive = childKeysOf(account.deriveChild(0))
  const change = childKeysOf(account.deriveChild(1))
  const prefix = NETWORKS[network].addressPrefix
  return {
    id: account.publicExtendedKey,
    path: `m/44'/111111'/${account.index - HARDENED}'`,
    address: (isChange, index) => encodeAddress(prefix, 'PubKey', (isChange ? change : receive)(index).subarray(1)),
  }
}

const invalidKey = (
  reason: string,
  hint = 'The extended public key of an account: kpub… or ktub….',
): ChainCryptoError =>
  new ChainCryptoError('fromExtendedPublicKey', new Error(reason), {
    code: 'invalid-key',
    argument: 'extendedPublicKey',
    hint,
  })
