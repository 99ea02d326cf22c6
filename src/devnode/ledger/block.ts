import type { ScriptPublicKey } from '../../model/utxo.js'
import type { RpcHeader } from '../../node/messages/records.js'
import type { KnownTransaction } from './transaction.js'

/** How a block stands among the others: what it merges, and which of that is honest work (blue). */
export interface Ghostdag {
  readonly selectedParent: string
  /** What the block merges, the selected parent first, then by rising blue work and hash: the order in which transactions take effect. */
  readonly mergeset: readonly string[]
  /** The selected parent first. */
  readonly blues: readonly string[]
  readonly reds: readonly string[]
  readonly blueScore: bigint
  readonly blueWork: bigint
  /** How many blues each merged blue has in its anticone, as this block sees it. */
  readonly anticoneSizes: ReadonlyMap<string, number>
}

/** What follows from a block's parents alone. */
export interface BlockContext {
  /** The selected parent first, as the node demands of chain blocks. */
  readonly parents: readonly string[]
  readonly ghostdag: Ghostdag
  readonly daaScore: bigint
  /** Merged blocks too old to count for the DAA score and to earn a subsidy. */
  readonly outsideDaaWindow: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly pastMedianTime: bigint
  /** The timestamps that the past median time of this block and its children is made from, newest last. */
  readonly medianSamples: readonly bigint[]
}

/** Whom a block pays: the payload of its coinbase, read. */
export interface Miner {
  readonly scriptPublicKey: ScriptPublicKey
  /** Hex. */
  readonly extraData: string
}

/** A block that the network knows, with what is asked of it again and again. */
export interface LedgerBlock {
  readonly hash: string
  readonly header: RpcHeader
  /** The coinbase first. */
  readonly transactions: readonly KnownTransaction[]
  readonly context: BlockContext
  readonly miner: Miner
  /** Sompi, as the block's coinbase claims it. */
  readonly subsidy: bigint
}

/** Whether `left` comes before `right` where blocks are put in order: by blue work, then by hash. */
export function compareWork(left: SortableBlock, right: SortableBlock): number {
  if (left.blueWork !== right.blueWork) return left.blueWork < right.blueWork ? -1 : 1
  if (left.hash === right.hash) return 0
  return left.hash < right.hash ? -1 : 1
}

/** What blocks are put in order by. */
export interface SortableBlock {
  readonly hash: string
  readonly blueWork: bigint
}
