import type { Contract } from '../../model/contracts/contract.js'
import type { KnownOutput, RelayedCall } from '../../model/contracts/instance-state.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint, UtxoEntry } from '../../model/utxo.js'

/** What a call may depend on: its place in the transaction. */
export interface CallLayout {
  /** The position of its input. */
  readonly input: number
  /** The positions of the outputs that it continues to. */
  readonly outputs: readonly number[]
}

export interface CallOptions<State = unknown> {
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
}

/** The UTXOs of some addresses. */
export type FetchEntries = (addresses: readonly string[]) => Promise<readonly UtxoEntry[]>

/** An instance of a contract, as plans use it. */
export interface CallTarget {
  readonly contract: Contract
  readonly covenantId: string
  /** Finds its outputs in the UTXO set of a node, where none is known yet. Rejects as `fetchEntries` does. */
  locate(network: ChainNetwork, fetchEntries: FetchEntries): Promise<void>
  /** The newest outputs that are known, own unconfirmed calls included. */
  unspent(): readonly KnownOutput[]
  /** The transaction that spends an output, as far as it is known. */
  spenderOf(outpoint: Outpoint): string | undefined
  /** Notes a call that was relayed. */
  relayed(call: RelayedCall): void
}
