import type { SerializedTransaction } from '../model/serialized-transaction.js'

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
