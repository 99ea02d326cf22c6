import type { ScriptPublicKey } from '../../model/utxo.js'
import type { RpcHeader } from '../../node/messages/records.js'
import type { KnownTransaction } from './transaction.js'

/** A block's GHOSTDAG data: its mergeset, coloured blue or red. */
export interface Ghostdag {
  readonly selectedParent: string
  /**
   * Consensus order: the selected parent first, then by ascending blue work and hash. Transactions are accepted in this
   * order.
   */
  readonly mergeset: readonly string[]
  /** The selected parent first. */
  readonly blues: readonly string[]
  readonly reds: readonly string[]
  readonly blueScore: bigint
  readonly blueWork: bigint
  /** The number of blues in the anticone of each merged blue, seen from this block. */
  readonly anticoneSizes: ReadonlyMap<string, number>
}

/** Data that depends on a block's parents only. */
export interface BlockContext {
  /** The selected parent first, as the node requires of chain blocks. */
  readonly parents: readonly string[]
  readonly ghostdag: Ghostdag
  readonly daaScore: bigint
  /** Merged blocks below the DAA window: they neither raise the DAA score nor earn a subsidy. */
  readonly outsideDaaWindow: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly pastMedianTime: bigint
  /** Sampled timestamps for the past median time of this block and its children, newest last. */
  readonly medianSamples: readonly bigint[]
}

/** Miner data of the coinbase payload. */
export interface Miner {
  readonly scriptPublicKey: ScriptPublicKey
  /** Hex. */
  readonly extraData: string
}

/** A block of the network, with derived data computed once. */
export interface LedgerBlock {
  readonly hash: string
  readonly header: RpcHeader
  /** The coinbase first. */
  readonly transactions: readonly KnownTransaction[]
  readonly context: BlockContext
  readonly miner: Miner
  /** Sompi, as stated in the block's coinbase payload. */
  readonly subsidy: bigint
}

/** Sort order of blocks: ascending blue work, then hash. */
export function compareBlueWork(left: SortableBlock, right: SortableBlock): number {
  if (left.blueWork !== right.blueWork) return left.blueWork < right.blueWork ? -1 : 1
  if (left.hash === right.hash) return 0
  return left.hash < right.hash ? -1 : 1
}

export interface SortableBlock {
  readonly hash: string
  readonly blueWork: bigint
}
