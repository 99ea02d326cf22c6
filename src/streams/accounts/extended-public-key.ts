import { HDKey } from '@scure/bip32'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { encodeAddress } from '../../model/address.js'
import { EXTENDED_KEY_VERSIONS } from '../../model/extended-key-versions.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

/** The network of a key is the engine's: the bytes decide nothing. */
const VERSIONS: Readonly<Record<string, number>> = EXTENDED_KEY_VERSIONS

/** `kprv`, `ktrv`, `xprv` and those of other currencies. */
const PRIVATE_KEY = /^\s*\w\wrv/i

/** The longest Base58 text of the 82 bytes of an extended key. */
const MAX_LENGTH = 113

const HARDENED = 2 ** 31

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
  const account = decode(text, network)
  checkPath(account)
  const receive = account.deriveChild(0)
  const change = account.deriveChild(1)
  const prefix = NETWORKS[network].addressPrefix
  return {
    id: account.publicExtendedKey,
    path: `m/44'/111111'/${account.index - HARDENED}'`,
    address: (isChange, index) => {
      const { publicKey } = (isChange ? change : receive).deriveChild(index)
      if (publicKey === null) throw invalidKey('The derived key is missing')
      return encodeAddress(prefix, 'PubKey', publicKey.subarray(1))
    },
  }
}

function decode(text: unknown, network: ChainNetwork): HDKey {
  if (typeof text !== 'string') throw invalidKey('The extended public key is not a string')
  if (PRIVATE_KEY.test(text)) {
    throw invalidKey(
      'This is an extended private key, which can spend everything of the account',
      'Remove it from this program, and export the extended public key (kpub) of the account from the wallet.',
    )
  }
  const spelling = text.slice(0, 4)
  const version = VERSIONS[spelling]
  if (version === undefined) throw invalidKey('The text does not begin with kpub, ktub or xpub')
  if (spelling === 'ktub' && network === 'mainnet') {
    throw invalidKey('A ktub is a key of a test network, and the network is mainnet', 'Use the kpub of the account.')
  }
  if (text.length > MAX_LENGTH) throw invalidKey('The text is longer than an extended public key')
  return toPublic(text, version)
}

/** All spellings as one: `publicExtendedKey` is the xpub. */
function toPublic(text: string, version: number): HDKey {
  try {
    const { depth, index, parentFingerprint, chainCode, publicKey } = HDKey.fromExtendedKey(text, {
      public: version,
      private: 0, // matches nothing
    })
    if (chainCode === null || publicKey === null) throw invalidKey('The key is incomplete')
    return new HDKey({ depth, index, parentFingerprint, chainCode, publicKey })
  } catch {
    // without the library's error, which may quote the text
    throw invalidKey('The text is damaged: a character, the length, the checksum or the key itself is wrong')
  }
}

/** The SDK takes any depth and derives addresses that no wallet has. */
function checkPath({ depth, index }: HDKey): void {
  const hint = "Export the key of the account, m/44'/111111'/account', as wallets do."
  if (depth !== 3) throw invalidKey(`The key has depth ${depth}; the key of an account has depth 3`, hint)
  if (index < HARDENED) throw invalidKey('The key is the child of an index that is not hardened', hint)
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
