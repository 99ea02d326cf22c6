import type { Contract } from '../../model/contracts/contract.js'
import type { KnownOutput, RelayedCall } from '../../model/contracts/pending-call.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint, ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'

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
