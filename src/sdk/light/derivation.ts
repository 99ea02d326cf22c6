import { HDKey } from '@scure/bip32'
import { EXTENDED_KEY_VERSIONS } from '../../model/network.js'
import { toHex } from '../../model/hex.js'
import { takeSecretHex } from '../../model/secret-bytes.js'
import type { KeyAccount, KeyChain, KeyPath, MnemonicSecret } from '../port.js'
import { toSeed } from './mnemonic.js'

/** The private key at `path`. */
export const derivePrivateKey = (secret: MnemonicSecret, path: KeyPath): string =>
  atBranch(secret, path, (chain) => atChild(chain, path.index, ({ privateKey }) => takeSecretHex(existing(privateKey))))

/** The compressed public keys of `count` indexes of a chain, from `start` on. */
export const derivePublicKeys = (
  secret: MnemonicSecret,
  { account, change }: KeyChain,
  start: number,
  count: number,
): readonly string[] =>
  atBranch(secret, { account, change }, (parent) =>
    Array.from({ length: count }, (_, position) =>
      atChild(parent, start + position, ({ publicKey }) => toHex(existing(publicKey))),
    ),
  )

/** The extended public key of an account. */
export const deriveExtendedPublicKey = (
  secret: MnemonicSecret,
  account: KeyAccount,
  prefix: 'kpub' | 'ktub',
): string => {
  const versions = { public: EXTENDED_KEY_VERSIONS[prefix], private: 0 } // nothing writes the private key
  return atAccount(secret, account, [], ({ publicExtendedKey }) => publicExtendedKey, versions)
}

type Branch = KeyChain & Pick<KeyPath, 'cosigner'>

function atBranch<Data>(
  secret: MnemonicSecret,
  { account, cosigner, change }: Branch,
  read: (chain: HDKey) => Data,
): Data {
  const chain = change ? 1 : 0
  return cosigner === undefined
    ? atAccount(secret, { account, purpose: 44 }, [chain], read)
    : atAccount(secret, { account, purpose: 45 }, [cosigner, chain], read)
}

/**
 * Derives an account, or what is `below` it, and reads from it. Seed and private keys are overwritten in memory, also
 * those of the levels above.
 */
function atAccount<Data>(
  secret: MnemonicSecret,
  { account, purpose }: KeyAccount,
  below: readonly number[],
  read: (node: HDKey) => Data,
  versions?: { readonly public: number; readonly private: number },
): Data {
  const seed = toSeed(secret)
  try {
    const levels = [HARDENED + purpose, HARDENED + 111_111, HARDENED + account, ...below]
    return atDescendant(HDKey.fromMasterSeed(seed, versions), levels, read)
  } finally {
    seed.fill(0)
  }
}

const HARDENED = 2 ** 31

/** Reads from a descendant of `node`, and overwrites the private keys from `node` on. */
function atDescendant<Data>(node: HDKey, levels: readonly number[], read: (node: HDKey) => Data): Data {
  const [index, ...below] = levels
  try {
    return index === undefined ? read(node) : atDescendant(node.deriveChild(index), below, read)
  } finally {
    node.wipePrivateData()
  }
}

const atChild = <Data>(parent: HDKey, index: number, read: (child: HDKey) => Data): Data =>
  atDescendant(parent.deriveChild(index), [], read)

/** A derived node of a private tree has both keys; the types of scure do not say so. */
function existing(key: Uint8Array | null): Uint8Array {
  if (key === null) throw new Error('The derived key is missing')
  return key
}
