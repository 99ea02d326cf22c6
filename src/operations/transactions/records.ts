import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { CallOptions } from '../queries/call.js'

/** Who is paid, and how much. */
export interface PaymentOutput {
  readonly address: string
  /** Sompi, above zero. */
  readonly amount: bigint
}

/** What is to be paid, from what, and at which fee. */
export interface CreateTransactionSettings {
  /** The coins to choose from. Unripe, covenant-bound, reserved and repeated ones are left aside. */
  readonly entries: readonly UtxoEntry[]
  /** Recipients. Without any, the coins are moved together into one, to `changeAddress`. */
  readonly outputs?: readonly PaymentOutput[] | undefined
  /** Where the rest goes. */
  readonly changeAddress: string
  /** Sompi that the final transaction pays beyond the node's current minimum. Not together with `feeRate`. */
  readonly priorityFee?: bigint | undefined
  /** Sompi per gram that every transaction of the plan pays at least, storage mass included. Never below the minimum. */
  readonly feeRate?: number | undefined
  /**
   * The id of a payment that still waits in the mempool, and whose place this one is to take: it spends all coins of that
   * one, so that never both are accepted, and pays more for each gram, by itself if no `feeRate` is given. `entries` hold
   * those coins, taken or not. Without `outputs` they all go back to `changeAddress`: that payment is called off.
   */
  readonly replaces?: string | undefined
  /** Hex, carried by the final transaction. */
  readonly payload?: string | undefined
  /** @default the network of the app, which it must be where given */
  readonly networkId?: string | undefined
}

/** What a plan comes to. */
export interface TransactionSummary {
  /** Sompi, of all transactions together. */
  readonly fees: bigint
  /** Grams, of all transactions together; of each the greatest of compute, storage and half its transient mass. */
  readonly mass: bigint
  /** More than 1: so many coins are needed that some are moved together first. */
  readonly transactions: number
  /** Set once submitted by `send()`. */
  readonly finalTransactionId?: string | undefined
  /** Sompi: what the recipients get together or, without recipients, what the coins have become. */
  readonly finalAmount?: bigint | undefined
}

/** A transaction that can be signed and submitted. */
export interface PendingTx {
  /** Known before it is signed: signing does not change it. */
  readonly id: string
  /** Sompi. */
  readonly fee: bigint
  /** Grams, as in `TransactionSummary`. */
  readonly mass: bigint
  /**
   * Signs each input that one of these keys (32 bytes, hex) may spend; may be called again with further keys.
   * Throws `ChainCryptoError`: `invalid-key`, or `key-mismatch` where none of the keys fits any input; `ChainNotReadyError`
   * before WASM is ready.
   */
  sign(privateKeys: readonly string[]): void
  /**
   * Sends it and resolves to its id; the transactions of a plan go in order. Rejects with
   * `ChainRpcError('submitTransaction')`: the node's refusal (`remote`, with `reason`), or, with `transactionId`, why
   * nobody knows: the answer was lost, and the id was found nowhere. Calling again after that looks for it before it sends.
   * `signal` calls it off before it goes out (`ChainError`, `cancelled`), never after.
   */
  submit(options?: CallOptions): Promise<string>
  /** JSON-safe data, u64 as decimal strings, that both `submitTransaction` of the node and of the indexer take. */
  serialize(): SerializedTransaction
  /** The addresses of the coins that it spends, each once. */
  addresses(): string[]
}
