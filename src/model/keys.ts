import { HDKey } from '@scure/bip32'
import { EXTENDED_KEY_VERSIONS, type ChainNetwork } from './network.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'

/** The network of a key is the engine's: the bytes decide nothing. */
const VERSIONS: Readonly<Record<string, number>> = EXTENDED_KEY_VERSIONS

/** `kprv`, `ktrv`, `xprv` and those of other currencies. */
const PRIVATE_KEY = /^\s*\w\wrv/i

/** The longest Base58 text of the 82 bytes of an extended key. */
const MAX_LENGTH = 113

/** Indexes from here on are hardened, without public derivation. */
export const HARDENED = 2 ** 31

/** Creates the error of a text that is refused; `reason` never holds the text. */
type RefuseKey = (reason: string, hint?: string) => Error

/** An extended public key of an account, with its public key. */
export interface AccountKey {
  readonly node: HDKey
  /** Compressed. */
  readonly publicKey: Uint8Array
}

/**
 * Decodes the extended public key of an account, at depth 3 with a hardened child number, in any spelling. `path` is
 * that of such an account, for the hint. Throws what `refuse` creates; neither the error nor its cause holds the text.
 */
export function decodeAccountKey(text: unknown, network: ChainNetwork, path: string, refuse: RefuseKey): AccountKey {
  const node = decode(text, network, refuse)
  checkPath(node, path, refuse)
  if (node.publicKey === null) throw refuse('The key is incomplete')
  return { node, publicKey: node.publicKey }
}

/** The text of a key with the version bytes of a prefix. */
export function writeAccountKey({ node, publicKey }: AccountKey, prefix: keyof typeof EXTENDED_KEY_VERSIONS): string {
  const { depth, index, parentFingerprint, chainCode } = node
  const versions = { public: EXTENDED_KEY_VERSIONS[prefix], private: 0 }
  if (chainCode === null) throw new TypeError('A decoded key has a chain code')
  return new HDKey({ depth, index, parentFingerprint, chainCode, publicKey, versions }).publicExtendedKey
}

function decode(text: unknown, network: ChainNetwork, refuse: RefuseKey): HDKey {
  if (typeof text !== 'string') throw refuse('The extended public key is not a string')
  if (PRIVATE_KEY.test(text)) {
    throw refuse(
      'This is an extended private key, which can spend everything of the account',
      'Remove it from this program, and export the extended public key (kpub) of the account from the wallet.',
    )
  }
  const spelling = text.slice(0, 4)
  const version = VERSIONS[spelling]
  if (version === undefined) throw refuse('The text does not begin with kpub, ktub or xpub')
  if (spelling === 'ktub' && network === 'mainnet') {
    throw refuse('A ktub is a key of a test network, and the network is mainnet', 'Use the kpub of the account.')
  }
  if (text.length > MAX_LENGTH) throw refuse('The text is longer than an extended public key')
  return toPublic(text, version, refuse)
}

/** All spellings as one: `publicExtendedKey` is the xpub. */
function toPublic(text: string, version: number, refuse: RefuseKey): HDKey {
  try {
    const { depth, index, parentFingerprint, chainCode, publicKey } = HDKey.fromExtendedKey(text, {
      public: version,
      private: 0, // matches nothing
    })
    if (chainCode === null || publicKey === null) throw refuse('The key is incomplete')
    return new HDKey({ depth, index, parentFingerprint, chainCode, publicKey })
  } catch {
    // without the library's error, which may quote the text
    throw refuse('The text is damaged: a character, the length, the checksum or the key itself is wrong')
  }
}

/** The SDK takes any depth and derives addresses that no wallet has. */
function checkPath({ depth, index }: HDKey, path: string, refuse: RefuseKey): void {
  const hint = `Export the key of the account, ${path}, as wallets do.`
  if (depth !== 3) throw refuse(`The key has depth ${depth}; the key of an account has depth 3`, hint)
  if (index < HARDENED) throw refuse('The key is the child of an index that is not hardened', hint)
}

/** Bytes of a compressed key. */
const KEY_SIZE = 33

/**
 * The public keys below an extended public key, compressed, by their index below 2^31 (BIP-32): those of `deriveChild`,
 * in a third of its time. Public keys need no multiplication in constant time, and the parent is decoded once.
 */
export function childKeysOf(node: HDKey): (index: number) => Uint8Array {
  const { publicKey, chainCode } = node
  if (publicKey === null || chainCode === null) throw new TypeError('An extended public key has a key and a chain code')
  const { BASE, Fn } = secp256k1.Point
  const parent = secp256k1.Point.fromBytes(publicKey)
  const data = new Uint8Array(KEY_SIZE + 4)
  data.set(publicKey)
  const view = new DataView(data.buffer)
  return (index) => {
    view.setUint32(KEY_SIZE, index)
    const tweak = Fn.fromBytes(hmac(sha512, chainCode, data).subarray(0, 32), true)
    return Fn.isValidNot0(tweak) ? parent.add(BASE.multiplyUnsafe(tweak)).toBytes() : nextValid(node, index)
  }
}

/** One index in 2^127 has no key; what takes its place is the library's to say. */
function nextValid(node: HDKey, index: number): Uint8Array {
  const { publicKey } = node.deriveChild(index)
  if (publicKey === null) throw new TypeError('The derived key is missing')
  return publicKey
}

/** A key and its address on one network. Holds a private key: keep it out of refs, logs and storage. */
export interface KeypairInfo {
  /** 32 bytes, hex. */
  readonly privateKeyHex: string
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
  readonly address: string
}

/** A BIP-39 mnemonic. */
export interface MnemonicInfo {
  /** English words separated by single spaces. */
  readonly phrase: string
  readonly wordCount: 12 | 24
}

/** One public key of an HD wallet. */
export interface DerivedKey {
  /** The position in its chain, from 0. */
  readonly index: number
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
  readonly address: string
}

/** A signed message with the data for its verification. */
export interface SignMessageResult {
  readonly message: string
  /** BIP-340, 64 bytes, hex. */
  readonly signature: string
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
}
