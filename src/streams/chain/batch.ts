import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import type { CovenantBinding } from '../../model/transaction.js'
import type { Outpoint, ScriptPublicKey } from '../../model/utxo.js'

/**
 * One step along the virtual chain. Store `cursor` together with what the batch changes: then each step counts once.
 */
export interface ChainBatch<Block = ChainBlock> {
  /**
   * The position after this batch, as an opaque string that is safe in JSON and URLs (about 2,300 characters). Pass it
   * to `followChain` to continue, in this process or another one, on this node or another one of the network.
   */
  readonly cursor: string
  /** A reorg: undo everything accepted above this block, then apply `blocks`. Null for the usual case. */
  readonly rollback: ChainRollback | null
  /**
   * Chain blocks in chain order, oldest first, at most `maxBlocks`. Empty where only a rollback is known yet, and in
   * the batch that reports that nothing is behind any more.
   */
  readonly blocks: readonly Block[]
  /** Whether the end of the chain was reached (below it `minConfirmations`): the next batch waits for new blocks. */
  readonly isLive: boolean
}

/** A batch within the library: the last step encodes its position, once. */
export interface LocatedBatch<Block = ChainBlock> extends Omit<ChainBatch<Block>, 'cursor'> {
  readonly locator: ChainLocator
}

/**
 * The last block that stays on the chain. The blue score grows strictly along the chain, so rows are undone by one
 * comparison: all with a blue score above this one.
 */
export interface ChainRollback {
  readonly hash: string
  readonly blueScore: bigint
  readonly daaScore: bigint
}

/** A chain block and the transactions it accepted. */
export interface ChainBlock<Transaction = ChainTransaction> {
  readonly hash: string
  readonly blueScore: bigint
  readonly daaScore: bigint
  /** Unix milliseconds, set by the miner. */
  readonly timestamp: number
  /** In the node's order of acceptance; an output may be created and spent in one block. */
  readonly transactions: readonly Transaction[]
}

/** A transaction of a batch with `detail: 'ids'`. */
export interface ChainTransactionId {
  /** The transaction id. */
  readonly id: string
}

/** An accepted transaction. What is null could not be read: see each field. */
export interface ChainTransaction extends ChainTransactionId {
  readonly version: number
  /** Hex. */
  readonly payload: string
  readonly isCoinbase: boolean
  /** Grams. */
  readonly storageMass: bigint
  /** Grams. */
  readonly computeMass: bigint
  /** Empty for a coinbase. */
  readonly inputs: readonly ChainInput[]
  readonly outputs: readonly ChainOutput[]
  /** Inputs minus outputs in sompi, 0n for a coinbase; null where an input's amount is unknown. */
  readonly fee: bigint | null
}

/** A transaction of a batch with `detail: 'contracts'`: with everything that its id covers and its scripts read. */
export interface ChainContractTransaction extends ChainTransaction {
  readonly lockTime: bigint
  /** 40 hex digits. */
  readonly subnetworkId: string
  readonly gas: bigint
  readonly inputs: readonly ChainContractInput[]
  readonly outputs: readonly ChainContractOutput[]
}

export interface ChainContractInput extends ChainInput {
  /** Hex. */
  readonly signatureScript: string
  readonly sequence: bigint
  readonly sigOpCount: number
  /** Units of 100 grams, in version 1. */
  readonly computeBudget: number
  /** The spent output as the node reports it, which proves nothing; null where `amount` is. */
  readonly spent: {
    readonly scriptPublicKey: ScriptPublicKey
    readonly blockDaaScore: bigint
    readonly isCoinbase: boolean
  } | null
}

export interface ChainContractOutput extends ChainOutput {
  /** The input that authorizes the covenant, and its id. */
  readonly covenant?: CovenantBinding | undefined
}

export interface ChainInput {
  /** The spent output. */
  readonly outpoint: Outpoint
  /** Null for a script without an address, and in a block that was read without the spent outputs. */
  readonly address: string | null
  /**
   * Sompi. Null in a block that was read without the spent outputs: one that accepts a script without an address, which
   * a node does not return whole.
   */
  readonly amount: bigint | null
  /** The covenant that binds the spent output; not set for other ones, and where `amount` is null. */
  readonly covenantId?: string | undefined
}

export interface ChainOutput {
  /** The index of the output within its transaction. */
  readonly index: number
  /** Null for a script without an address. */
  readonly address: string | null
  /** Sompi. */
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** The covenant that binds the output. */
  readonly covenantId?: string | undefined
}
