import type { SerializedTransaction } from '../../../model/serialized-transaction.js'

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

/** Signs outside of the library: hardware, HSM, a remote service. */
export interface TransactionSigner {
  /**
   * Resolves to one signature of 64 bytes per request, in order: BIP-340 for a Schnorr address, r ‖ s for an ECDSA
   * address. Every signature is verified before it is used. `transactions` are all transactions of the payment, with
   * the amounts and scripts of the spent outputs in `restore.spent`. What is returned after `signal` aborts is ignored.
   */
  sign(
    requests: readonly SignatureRequest[],
    context: { readonly transactions: readonly SerializedTransaction[]; readonly signal: AbortSignal },
  ): Promise<readonly Uint8Array[]>
}
