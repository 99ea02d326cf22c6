import type { Observable } from 'rxjs'
import type { AbortOptions } from '../errors/abort-options.js'
import type { ChainError } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'
import type { SerializedTransaction } from '../model/serialized-transaction.js'

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

/** One input to sign. */
export interface SignatureRequest {
  /** Position of the transaction in the payment, and of the input in the transaction. */
  readonly transactionIndex: number
  readonly inputIndex: number
  /** The 32 bytes to sign, SIGHASH_ALL. */
  readonly sighash: Uint8Array
  /** The address of the spent UTXO, which decides the kind of signature: BIP-340, or ECDSA. */
  readonly address: string
  /** The key that must sign, hex: 32 bytes x-only for Schnorr, 33 bytes compressed for ECDSA. */
  readonly publicKey: string
  /**
   * The derivation path of that key, m/44'/111111'/account'/change/index, where the address is followed by an account
   * of this engine (`accounts.fromExtendedPublicKey`).
   */
  readonly keyPath?: string | undefined
  /** Of a payment of several signers: the script that the address is the hash of, hex. */
  readonly redeemScript?: string | undefined
  /** Of a payment of several signers: how many sign each input. */
  readonly threshold?: number | undefined
  /** Of a signature that is an argument of a call of a contract: what the call does, to be shown. */
  readonly contract?: SignedCall | undefined
}

/** A call of a contract whose arguments have signatures. */
export interface SignedCall {
  /** The name of the contract. */
  readonly name: string
  readonly entry: string
  readonly arguments: unknown
  readonly covenantId: string
  readonly stateBefore: unknown
  /** The states of the outputs that follow; empty where the call ends the covenant. */
  readonly stateAfter: readonly unknown[]
}

/** What a signer can sign, where that is less than nodes accept. What is absent is not limited. */
export interface SignerLimits {
  /** Inputs of a transaction. */
  readonly maxInputs?: number | undefined
  /** Outputs of a transaction beside the change. */
  readonly maxRecipients?: number | undefined
  /** `own-path`: only to an address whose derivation path the engine knows, where there are recipients. */
  readonly change?: 'own-path' | undefined
  /** False: no transaction with a payload. */
  readonly payload?: boolean | undefined
  /** The kinds of the addresses that it spends from. */
  readonly schemes?: readonly ('schnorr' | 'ecdsa')[] | undefined
  /** The greatest index of an outpoint. */
  readonly maxOutpointIndex?: number | undefined
  /** Sompi, of one input or output. */
  readonly maxAmount?: bigint | undefined
  /** Its only account: all paths begin with m/44'/111111'/account', and the engine knows them. */
  readonly account?: number | undefined
  /** False: all sequences are 0, so that they commit to no amounts. */
  readonly commitAmounts?: boolean | undefined
}

/** Signs outside of the library: hardware, HSM, a remote service. */
export interface TransactionSigner {
  /**
   * Obeyed when a payment is planned with this signer: UTXOs that it cannot sign are not selected, a setting that
   * cannot fit is refused (`unsupported`, with `limit`), and `commitAmounts` is false by default where it must be.
   */
  readonly limits?: SignerLimits | undefined
  /**
   * Resolves to one signature of 64 bytes per request, in order: BIP-340 for a Schnorr address, r ‖ s for an ECDSA
   * address. Every signature is verified before it is used. `transactions` are all transactions of the payment, with
   * the amounts and scripts of the spent outputs in `restore.spent`. What is returned after `signal` aborts is ignored.
   */
  sign(requests: readonly SignatureRequest[], context: SignerContext): Promise<readonly Uint8Array[]>
}

/** What a signer is shown beside its requests. */
export interface SignerContext {
  readonly transactions: readonly SerializedTransaction[]
  readonly signal: AbortSignal
  /** The derivation path of an address of an account of this engine, such as that of the change. */
  readonly keyPathOf: (address: string) => string | undefined
}
