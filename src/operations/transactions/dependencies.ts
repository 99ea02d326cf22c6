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
