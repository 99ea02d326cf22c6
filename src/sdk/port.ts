import type { Observable } from 'rxjs'
import type { AbortOptions } from '../errors/abort-options.js'
import type { ChainError } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'

/** A BIP-39 mnemonic with its passphrase ('' for none), the secret of an HD wallet. Never logged, never stored. */
export interface MnemonicSecret {
  readonly phrase: string
  readonly passphrase: string
}

/** One chain of an HD account: m/44'/111111'/account'/0 for receiving, m/44'/111111'/account'/1 for change. */
export interface KeyChain {
  /** 0 to 2^31 − 1. */
  readonly account: number
  readonly change: boolean
}

/** One key of an HD wallet: m/44'/111111'/account'/change/index, or a cosigner's. */
export interface KeyPath extends KeyChain {
  /** 0 to 2^31 − 1. */
  readonly index: number
  /** The branch of a cosigner's key, m/45'/111111'/account'/cosigner/change/index: 0 to 2^31 − 1. */
  readonly cosigner?: number | undefined
}

/** An account of an HD wallet: m/44'/111111'/account', or m/45'/111111'/account' of a cosigner. */
export interface KeyAccount {
  /** 0 to 2^31 − 1. */
  readonly account: number
  readonly purpose: 44 | 45
}

/** A secp256k1 public key in both forms that Kaspa uses, hex. */
export interface PublicKeyForms {
  /** 33 bytes, first `02` or `03`. */
  readonly compressed: string
  /** The 32 bytes after the first, as in Schnorr addresses and scripts. */
  readonly xOnly: string
}

/** The 32-byte sighashes to sign with one key. */
export interface SigningRequest {
  readonly hashes: readonly Uint8Array[]
  readonly privateKey: string
}

/**
 * Keys, signatures and messages of a Kaspa SDK. Plain data in and out, nothing to free. Callers check the form of
 * arguments (hex, length, range). For checks that only the SDK can do (a point not on the curve, a private key of zero)
 * it throws its own error, which `operations` converts. All keys and signatures are lower-case hex; public keys may be
 * compressed or x-only.
 */
export interface SdkPort {
  /** A new English BIP-39 mnemonic from the platform's secure randomness. */
  generateMnemonic(wordCount: 12 | 24): string
  /** Whether this is an English BIP-39 mnemonic of 12 or 24 words with a valid checksum. */
  isValidMnemonic(phrase: string): boolean
  /** A new private key, 32 bytes, from the platform's secure randomness. */
  generatePrivateKey(): string
  /** The private key at `path`. */
  derivePrivateKey(secret: MnemonicSecret, path: KeyPath): string
  /** The compressed public keys of `count` indexes of a chain, from `start` on. */
  derivePublicKeys(secret: MnemonicSecret, chain: KeyChain, start: number, count: number): readonly string[]
  /** The extended public key of an account, in Base58 with `prefix`. */
  deriveExtendedPublicKey(secret: MnemonicSecret, account: KeyAccount, prefix: 'kpub' | 'ktub'): string
  /** The public key of a private key. */
  publicKey(privateKey: string): PublicKeyForms
  /** The Schnorr (P2PK) address of a public key. */
  address(publicKey: string, network: ChainNetwork): string
  /**
   * Signs the 32-byte sighashes of inputs: the whole signature script of each, `41` ‖ BIP-340 signature ‖ `01`
   * (SIGHASH_ALL). One call per key, so that the key is parsed once.
   */
  signHashes(hashes: readonly Uint8Array[], privateKey: string): readonly string[]
  /**
   * `signHashes` for all keys of a plan, without blocking the thread for longer than a frame; the scripts per request.
   * `signal` stops it. Where it is missing, `signHashes` is called in slices.
   */
  readonly signHashesAsync?: (
    requests: readonly SigningRequest[],
    options?: AbortOptions,
  ) => Promise<readonly (readonly string[])[]>
  /**
   * A BIP-340 signature (64 bytes) over BLAKE2b-256 of the UTF-8 message, keyed `PersonalMessageSigningHash`.
   * Randomized.
   */
  signMessage(message: string, privateKey: string): string
  /** Whether `signature` (64 bytes) of `message` is valid for this key. */
  verifyMessage(message: string, signature: string, publicKey: string): boolean
  /**
   * Emits once when this instance has panicked: its memory is unreliable and it must be replaced.
   * Replays to late subscribers; never errors.
   */
  readonly broken$: Observable<ChainError>
}

/** The WASM file, or where it lies: a URL, relative to the page or worker script; under Node also a path. */
export type WasmSource = string | URL | Response | ArrayBuffer | Uint8Array<ArrayBuffer>

/** Where the WASM file lies; a function is called when the module is loaded. */
export type WasmUrl = string | URL | (() => WasmSource | Promise<WasmSource>)

/** The functions that need no secret. */
export type VerificationPort = Pick<SdkPort, 'isValidMnemonic' | 'address' | 'verifyMessage'>

/** Loads a port other than the WASM SDK's: `light` of `vue-chain/light`. Rejects with `ChainError`. */
export interface SdkSource {
  loadPort(): Promise<SdkPort>
}
