import type { AbortOptions } from '../../errors/abort-options.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type {
  AccountPaymentSettings,
  CancelSettings,
  ConsolidateSettings,
  PendingTx,
  PlannedSettings,
  RestoreOptions,
  SendOptions,
  SendSettings,
  SweepSettings,
  TransactionSummary,
} from './records.js'

/**
 * Estimates, builds and sends payments. All reject with `ChainError`: `invalid-argument` (with `argument`) before any
 * call, `insufficient-funds`, `mass-exceeded`, `fee-too-high`, `contract-address`, or `aborted` by a `signal`; with
 * `ChainRpcError` where a call to the node fails. Immature and reserved entries are skipped, and without `spendBound`
 * those that a covenant binds.
 */
export interface TransactionOperations {
  /** The totals of a payment, within the limits of `signer`. Needs no WASM, sends nothing. */
  readonly estimate: (settings: PlannedSettings, options?: AbortOptions) => Promise<TransactionSummary>
  /**
   * All transactions of a payment, unsigned, in the order of submission, within the limits of `signer`. Needs no WASM,
   * sends nothing.
   */
  readonly create: (
    settings: PlannedSettings,
    options?: Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>,
  ) => Promise<CreatedTransactions>
  /**
   * Plans, signs with `privateKeys` (32 bytes, hex) or `signer` off the main thread, calls `onSigned` and submits.
   * Rejects also as `PendingTx.signAsync` and `submit` do; a payment of several transactions that is submitted only in
   * part rejects with a `PartiallySubmittedError`, which can be resumed. Every rejection has an `outcome`: after
   * `unsent` another payment may be planned, unless `onSigned` has stored this one; after `unknown` never: submit the
   * same `payments` of the error again, or follow its `transactionId`. After `signal` no further transaction is sent;
   * the result of one in flight is still awaited.
   */
  readonly send: (settings: SendSettings, options?: SendOptions) => Promise<SentTransactions>
  /**
   * Sends everything that is spendable to one address. Rejects as `send` does. With `account` it is planned for the
   * cosigners, as by `create`; so are the next two.
   */
  readonly sweep: {
    (
      settings: Omit<AccountPaymentSettings, 'outputs' | 'changeAddress' | 'replaces'> & Pick<SweepSettings, 'to'>,
      options?: Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>,
    ): Promise<CreatedTransactions>
    (settings: SweepSettings, options?: SendOptions): Promise<SentTransactions>
  }
  /** Merges UTXOs into one at `changeAddress`. Rejects as `send` does. */
  readonly consolidate: {
    (
      settings: Omit<AccountPaymentSettings, 'outputs' | 'replaces'> & Pick<ConsolidateSettings, 'maxInputs'>,
      options?: Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>,
    ): Promise<CreatedTransactions>
    (settings: ConsolidateSettings, options?: SendOptions): Promise<SentTransactions>
  }
  /**
   * Replaces a payment in the mempool by one that returns its inputs to `changeAddress` (RBF). Rejects as `send` does,
   * and with `invalid-argument` where the payment is not in the mempool.
   */
  readonly cancel: {
    (
      id: string,
      settings: Omit<AccountPaymentSettings, 'outputs' | 'replaces'>,
      options?: Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>,
    ): Promise<CreatedTransactions>
    (id: string, settings: CancelSettings, options?: SendOptions): Promise<SentTransactions>
  }
  /**
   * A payment of an earlier process, from `PendingTx.serialize()` or `onSigned`. One with signatures reserves its
   * inputs at once, for ten minutes or until it is submitted; `submit()` looks it up before it sends it, and its
   * outcome is never `unsent`. Needs no WASM, sends nothing. Rejects with `ChainError`: `invalid-argument` where it was
   * changed or damaged, belongs to another network or has other outputs than `options.outputs`; `fee-too-high` where
   * one without signatures exceeds `options.maxFee`. Its checksum detects accidents, no intent: who can write the store
   * of an unsigned payment chooses its outputs.
   */
  readonly restore: (serialized: SerializedTransaction, options?: RestoreOptions) => Promise<PendingTx>
}

export interface CreatedTransactions {
  readonly transactions: PendingTx[]
  readonly summary: TransactionSummary
}

export interface SentTransactions {
  readonly transactionIds: string[]
  /** How the last transaction, which pays, became known to the node. It proves no acceptance: follow its id. */
  readonly known: SubmissionKnown
  readonly summary: TransactionSummary
}
