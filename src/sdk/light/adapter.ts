import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { NEVER } from 'rxjs'
import { toHex } from '../../model/hex.js'
import { takeSecretHex, withSecretBytes } from '../../model/secret-bytes.js'
import { checkedPort } from '../checked-port.js'
import type { SdkPort, KeyAccount, KeyChain, KeyPath, MnemonicSecret } from '../port.js'
import { addressOf, signMessage, verifyMessage, generateMnemonic, isValidMnemonic, toSeed } from './verification.js'
import { signHashes } from './sign-hashes.js'
import { createSignInWorkers } from './sign-in-workers.js'
import { HDKey } from '@scure/bip32'
import { EXTENDED_KEY_VERSIONS } from '../../model/network.js'

/**
 * Window of the table of multiples of the base point, in bits. The table is built for the first key, which needs 7
 * multiplications: with the library's default of 6 bits it has 2,080 points, with 4 bits 776, and takes 97 instead of
 * 65 additions for each multiplication. Workers, which sign many inputs, keep the default.
 */
const WINDOW = 4

/** The port on @noble/curves, @noble/hashes, @scure/bip32 and @scure/bip39, without WASM. It cannot panic. */
export function createLightPort(): SdkPort {
  secp256k1.Point.BASE.precompute(WINDOW)
  return checkedPort({
    generateMnemonic,
    isValidMnemonic,
    generatePrivateKey: () => takeSecretHex(schnorr.utils.randomSecretKey()),
    derivePrivateKey,
    derivePublicKeys,
    deriveExtendedPublicKey,
    publicKey: (privateKey) => {
      const compressed = withSecretBytes(privateKey, (key) => toHex(secp256k1.getPublicKey(key, true)))
      return { compressed, xOnly: compressed.slice(2) }
    },
    address: addressOf,
    signHashes,
    signHashesAsync: createSignInWorkers(),
    signMessage,
    verifyMessage,
    broken$: NEVER,
  })
}

/** The private key at `path`. */
const derivePrivateKey = (secret: MnemonicSecret, path: KeyPath): string =>
  atBranch(secret, path, (chain) => atChild(chain, path.index, ({ privateKey }) => takeSecretHex(existing(privateKey))))

/** The compressed public keys of `count` indexes of a chain, from `start` on. */
const derivePublicKeys = (
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
const deriveExtendedPublicKey = (secret: MnemonicSecret, account: KeyAccount, prefix: 'kpub' | 'ktub'): string => {
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
