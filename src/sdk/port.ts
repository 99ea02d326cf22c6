import type { Observable } from 'rxjs'
import type { ChainError } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'

/** A BIP-39 phrase with its passphrase ('' for none): everything an HD wallet grows from. Never logged, never stored. */
export interface MnemonicSecret {
  readonly phrase: string
  readonly passphrase: string
}

/** One chain of an HD account: m/44'/111111'/account'/0 receives, m/44'/111111'/account'/1 takes the change. */
export interface KeyChain {
  /** 0 to 2^31 − 1. */
  readonly account: number
  readonly change: boolean
}

/** One key of an HD wallet: m/44'/111111'/account'/change/index. */
export interface KeyPath extends KeyChain {
  /** 0 to 2^31 − 1. */
  readonly index: number
}

/** A secp256k1 public key in both forms the network knows, hex. */
interface PublicKeyForms {
  /** 33 bytes, first `02` or `03`. */
  readonly compressed: string
  /** The 32 bytes after the first: what a Schnorr address and script hold. */
  readonly xOnly: string
}

/**
 * What we ask of a Kaspa SDK: keys, signatures, messages. Plain data in, plain data out, nothing to free.
 * Callers have checked their arguments for form (hex, length, range); what only the SDK can tell (a key that is no point
 * of the curve, a private key of zero) it throws as its own error, which its caller in `operations` gives a name.
 * All keys and signatures are lower-case hex; a public key may come compressed or x-only.
 */
export interface SdkPort {
  /** A fresh English BIP-39 phrase from the platform's secure randomness. */
  generateMnemonic(wordCount: 12 | 24): string
  /** Whether this is an English BIP-39 phrase of 12 or 24 words with a right checksum. */
  isValidMnemonic(phrase: string): boolean
  /** A fresh private key, 32 bytes, from the platform's secure randomness. */
  generatePrivateKey(): string
  /** The private key at `path`. */
  derivePrivateKey(secret: MnemonicSecret, path: KeyPath): string
  /** The compressed public keys of `count` positions of a chain, from `start` on, in order. */
  derivePublicKeys(secret: MnemonicSecret, chain: KeyChain, start: number, count: number): readonly string[]
  /** The public key of a private one. */
  publicKey(privateKey: string): PublicKeyForms
  /** The Schnorr (P2PK) address of a public key on a network. */
  address(publicKey: string, network: ChainNetwork): string
  /**
   * Signs the 32-byte sighashes of inputs: the whole signature script of each, `41` ‖ BIP-340 signature ‖ `01` (SIGHASH_ALL).
   * All of one key at once, which is then read but once.
   */
  signHashes(hashes: readonly Uint8Array[], privateKey: string): readonly string[]
  /** A BIP-340 signature (64 bytes) over BLAKE2b-256 of the UTF-8 message, keyed `PersonalMessageSigningHash`. Random, so never the same twice. */
  signMessage(message: string, privateKey: string): string
  /** Whether `signature` (64 bytes) is that of `message` by this key. */
  verifyMessage(message: string, signature: string, publicKey: string): boolean
  /**
   * Emits once when this instance has panicked: its memory can no longer be trusted and it wants replacing.
   * Replays to a late subscriber; never errors.
   */
  readonly broken$: Observable<ChainError>
}
