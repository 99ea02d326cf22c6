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
import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { SentIds } from '../../model/bounded-collections.js'
import type { ChainNetwork } from '../../model/network.js'
import type { UnconfirmedInput, UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { ChainLogger } from '../../platform/port.js'
import type { SdkPort } from '../../sdk/port.js'
import type { Call } from '../queries/call.js'
import type { Replaced } from './replaced.js'
import type { SignedAmountsStore } from './sign/signed-amounts.js'

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

/** Dependencies of building and submitting transactions. */
export interface TransactionDependencies {
  /** The current network. */
  readonly network: () => ChainNetwork
  /**
   * One call to the node. Rejects with `ChainRpcError` as a `NodeConnection` does, and `not-connected` without a
   * connection.
   */
  readonly call: Call
  /** What this engine has sent, by every path. */
  readonly sentIds: SentIds
  /** The SDK, needed only to sign. Throws `ChainNotReadyError` with the operation's name. */
  readonly sdk: (operation: string) => SdkPort
  readonly reservations: Reservations
  /** Undefined where no payment waits for others. */
  readonly payments?: PendingPayments | undefined
  /** Claims in all tabs; undefined where tabs share none. */
  readonly claims?: PaymentClaims | undefined
  /** Resolves once connected; rejects after `timeout` ms, or at once where no connection is being made. */
  readonly whenConnected: (timeout: number) => Promise<void>
  /** Reports that the node rejected a transaction, with the reason in the error. */
  readonly onRejected: (transactionId: string, error: ChainRpcError) => void
  /** Reports that `by` replaced `transactionId` in the mempool. */
  readonly onReplaced: (transactionId: string, by: string) => void
  /** Reports the change address of an own payment, when it is submitted. */
  readonly rememberChange: (transactionId: string, address: string) => void
  /** The derivation path of an address of an account of this engine: m/44'/111111'/account'/change/index. */
  readonly keyPathOf: (address: string) => string | undefined
  /** Keeps what was signed without a commitment to the amounts; undefined where nothing is kept. */
  readonly signedAmounts: SignedAmountsStore | undefined
  /** Addresses that only a payment queue may pay from; none for the queue itself. */
  readonly managed?: ManagedAddresses | undefined
  /** Throw where a payment is not to be made. */
  readonly checks?: Iterable<PaymentCheck> | undefined
  /** A payment to replace that is known without the mempool: its own UTXOs are spent, whatever the node has. */
  readonly replacedOf?: ((transactionId: string) => Replaced | undefined) | undefined
  /** Unix ms. */
  readonly now: () => number
  /** Resolves after `ms`, or as soon as the engine is disposed. */
  readonly pause: (ms: number) => Promise<void>
  /** Receives what a hostile or broken node sent. */
  readonly logger: Pick<ChainLogger, 'warn'>
}

/** The name of the queue that pays from an address. */
export type ManagedAddresses = Pick<ReadonlyMap<string, string>, 'get' | 'size'>

/** A payment that is claimed in all tabs. */
export interface ClaimedPlan {
  readonly network: ChainNetwork
  readonly payments: readonly UnconfirmedTransaction[]
  /** Gets the change: other tabs show it as unconfirmed. */
  readonly change: ScriptPublicKey | undefined
  /** The payment whose UTXOs are spent again. */
  readonly replaces: string | undefined
}

/**
 * - `claimed`: this tab has all UTXOs, or goes on alone.
 * - `taken`: another tab has one of them. What other tabs have is reserved here then.
 * - `same-payment`: likewise, and another tab has this very payment.
 */
export type ClaimResult = 'claimed' | 'taken' | 'same-payment'

/** Throws `ChainError` where the outputs of a payment are refused. */
export type PaymentCheck = (payment: {
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
}) => void

/** The UTXOs of payments in all tabs of an origin. Never rejects: a claim that cannot be stored stops no payment. */
export interface PaymentClaims {
  /**
   * Claims all UTXOs of a plan, or none. `sent`: from now on a node or another process may have it, which outlives the
   * tab. A claim that has expired meanwhile is made again.
   */
  claim(plan: ClaimedPlan, state: 'planned' | 'sent'): Promise<ClaimResult>
  /** Reads again what other tabs have: some may have ended. */
  refresh(): Promise<void>
}

/** The unconfirmed transactions, and those accepted last, for payments that wait for what they return or release. */
export interface PendingPayments {
  readonly all: () => Iterable<UnconfirmedTransaction>
  /** Whether a transaction is not accepted. */
  readonly isPending: (transactionId: string) => boolean
  /** Resolves once one of them changes, after `ms`, or when the signal aborts. */
  readonly changed: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Monotonic, ms. */
  readonly now: () => number
}

/** The UTXOs of pending payments, which the next payment does not select. */
export interface Reservations {
  /** What unconfirmed transactions spend. */
  reserved(): Iterable<UnconfirmedInput>
  /** The unconfirmed transactions; absent where others decide what is free. */
  payments?(): Iterable<UnconfirmedTransaction>
  /**
   * Reserves the inputs of a payment until they are released, confirmed as spent, or the reservation expires after
   * `timeout` ms, by default one minute. Its outputs count as unconfirmed meanwhile. Payments may overlap; reserving
   * one again renews its expiry.
   */
  reserve(payment: UnconfirmedTransaction, timeout?: number): Release
}

export type Release = () => void
