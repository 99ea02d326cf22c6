import type { GenesisRecord } from '../../model/covenant-id.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type {
  CreateTransactionSettings,
  PaymentOutput,
  PendingTx,
  SendOptions,
  SigningSettings,
  TransactionSummary,
} from '../transactions/records.js'
import type { SentTransactions } from '../transactions/transaction-operations.js'

/** What funds a transaction of contracts, and what it may cost: as for payments. */
export interface ContractSettings
  extends Omit<CreateTransactionSettings, 'account' | 'outputs' | 'replaces' | 'payload'>, AbortOptions {
  /** Payments in the same transaction, after the outputs of contracts. */
  readonly outputs?: readonly PaymentOutput[] | undefined
  /**
   * The id of an own transaction of calls in the mempool that these calls replace, at a higher fee rate: they spend its
   * states and what funds it. What is chained on it is undone.
   */
  readonly replaces?: string | undefined
  /** What scripts of absolute lock times read: a DAA score, or ms from 500,000,000,000. @default 0n */
  readonly lockTime?: bigint | undefined
  /** How many unconfirmed own calls the outputs may depend on. @default 10 */
  readonly maxUnconfirmedCalls?: number | undefined
}

export interface DeploySettings extends ContractSettings {
  /**
   * Sompi of each output of the contract. It is as safe as the program checks amounts: the continuation check of
   * SilverScript does not. @default 1 KAS
   */
  readonly value?: bigint | readonly bigint[] | undefined
}

/** What a call does to the KAS of its contract. */
export interface ContractAmounts {
  readonly covenantId: string
  readonly entry: string
  /** Sompi of the output that it spends. */
  readonly before: bigint
  /** Sompi of the outputs that follow, together. */
  readonly after: bigint
}

/** Totals of a plan. */
export interface ContractSummary extends TransactionSummary {
  /** In the order of the inputs. */
  readonly contracts: readonly ContractAmounts[]
  /** Sompi that leaves the outputs of contracts; 0n where they receive. */
  readonly leaves: bigint
}

/** A transaction of contracts, executed and not signed, after those that join UTXOs where one cannot fund it. */
export interface ContractPlan {
  /** In the order of submission. Only the last one has calls and outputs of contracts; it is of version 1. */
  readonly transactions: readonly PendingTx[]
  readonly summary: ContractSummary
  /**
   * Signs with `privateKeys` or `signer`, executes the calls again with their signatures, calls `onSigned` and submits.
   * Rejects as `transactions.send` does, and with `ChainError`: `contract-refused`; `contract-moved` where mempool or
   * chain show another transaction that spends the state of a call. After `unknown` send the same plan again, or
   * restore what `onSigned` stored: never plan another one.
   */
  send(signing: SigningSettings, options?: SendOptions): Promise<SentCalls>
}

export interface SentCalls extends SentTransactions {
  readonly summary: ContractSummary
}

/** The plan of a genesis. */
export interface DeployPlan<State = unknown> extends ContractPlan {
  /** Known before anything is signed. */
  readonly covenantId: string
  /** The record that proves it: store it before you send. */
  readonly genesis: GenesisRecord<State>
}
