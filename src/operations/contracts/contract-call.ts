import type { Contract } from '../../model/contracts/contract.js'
import type { KnownOutput, RelayedCall } from '../../model/contracts/pending-call.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint, ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
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

/** What a call may depend on: its place in the transaction. */
export interface CallLayout {
  /** The position of its input. */
  readonly input: number
  /** The positions of the outputs that it continues to. */
  readonly outputs: readonly number[]
}

export interface CallOptions<State = unknown, Args = unknown, Known = unknown> {
  /** Which output of the contract is spent, where it has several. */
  readonly from?: Outpoint | undefined
  /**
   * The states of the outputs that follow. @default those that the arguments name, or that the contract demands when it
   * is executed
   */
  readonly states?: readonly State[] | undefined
  /**
   * Sompi of each output that follows. It is as safe as the program checks amounts. @default what the spent output
   * holds for the first one, and 1 KAS for each further one
   */
  readonly value?: bigint | readonly bigint[] | undefined
  /** The sequence of the input, which scripts of relative lock times read. @default 0n */
  readonly sequence?: bigint | undefined
  /**
   * The compute budget of the input, for a contract that cannot be executed here: `OpZkPrecompile` (a6) and
   * `OpChainblockSeqCommit` (d4) need what a page does not have. @default what the execution uses, exactly
   */
  readonly computeBudget?: number | undefined
  /**
   * The arguments for the state that follows, where another transaction was first: the call is planned, signed and sent
   * again, up to five times, each within `maxFee`; of all plans one can be accepted. Null: reject with
   * `contract-moved`, as without it, as for an unconfirmed state, and for one that goes on in several outputs.
   * @default none
   */
  readonly onMoved?: ((state: Known) => Args | null) | undefined
}

/**
 * A call that is described: nothing is read, planned or signed yet. Plan it with `contracts.transaction`.
 */
export interface ContractCall {
  readonly covenantId: string
  readonly entry: string
  /** One object of named arguments, or a function of the call's place in the transaction that returns it. */
  readonly args: unknown
  readonly options: CallOptions
}

/** A call with the instance that is called. */
export interface DescribedCall extends ContractCall {
  readonly target: CallTarget
  /** The calls that it stands for, where its inputs are selected when it is planned. */
  readonly expand?: ((context: ExpandContext) => Promise<readonly DescribedCall[]>) | undefined
}

/** What calls are expanded with. */
export interface ExpandContext {
  readonly network: ChainNetwork
  /** Gets the change. */
  readonly change: ScriptPublicKey
  /** The own transaction that is replaced: what it spends can be spent. */
  readonly replaces: string | undefined
  readonly signal: AbortSignal | undefined
  /** Plans a transaction before that of the calls. Resolves with its outputs of contracts, which no block has yet. */
  readonly planBefore: (calls: readonly DescribedCall[]) => Promise<readonly KnownOutput[]>
}

/** The search for what follows the state of a call that another transaction spends. */
export interface SuccessorSearch {
  /** What both spend. */
  readonly utxo: UtxoEntry
  readonly state: unknown
  /** A chain block from before either was accepted. */
  readonly from: string
  /** The call that was too late. */
  readonly transactionId: string
  readonly signal: AbortSignal | undefined
}

/** The UTXOs of some addresses. */
export type FetchEntries = (addresses: readonly string[]) => Promise<readonly UtxoEntry[]>

/** An instance of a contract, as plans use it. */
export interface CallTarget {
  readonly contract: Contract
  readonly covenantId: string
  /** Finds its outputs in the UTXO set of a node, where none is known yet. Rejects as `fetchEntries` does. */
  locate(network: ChainNetwork, fetchEntries: FetchEntries): Promise<void>
  /** The newest outputs that are known, own unconfirmed calls included, but `replaces` and what is chained on it. */
  unspent(replaces?: string): readonly KnownOutput[]
  /** The transaction that spends an output, as far as it is known. */
  spenderOf(outpoint: Outpoint): string | undefined
  /** Notes a call that was relayed. */
  relayed(call: RelayedCall): void
  /**
   * Waits for the chain: what descends from the state; `accepted` where it has the call after all; undefined where it
   * does not show it within a minute. Never rejects.
   */
  successorOf(search: SuccessorSearch): Promise<readonly KnownOutput[] | 'accepted' | undefined>
  /** Notes what the chain has in place of an output. */
  continued(spent: Outpoint, outputs: readonly KnownOutput[]): void
}

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
