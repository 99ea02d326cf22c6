import type { ScriptPublicKey } from '../../model/utxo.js'
import type { RpcHeader } from '../../node/messages/records.js'
import type { KnownTransaction } from './transaction.js'
import { ByteWriter } from '../../model/bytes.js'
import { fromHex, toHex } from '../../model/hex.js'
import {
  COINBASE_SUBNETWORK,
  createTransaction,
  type Transaction,
  type TransactionOutput,
} from '../../model/transaction.js'
import { COINBASE_VERSION, MAX_COINBASE_PAYLOAD, MAX_COINBASE_SCRIPT } from './params.js'

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

export interface CoinbasePayload {
  readonly blueScore: bigint
  /** Sompi. */
  readonly subsidy: bigint
  readonly miner: Miner
}

/** The reward of a merged block: the subsidy of its payload and the fees of its accepted transactions. */
export interface Reward {
  readonly subsidy: bigint
  readonly fees: bigint
  readonly miner: Miner
}

/** Blue score, subsidy, script version and script length. The script and the miner's extra data follow. */
const FIXED_LENGTH = 8 + 8 + 2 + 1

export function writeCoinbasePayload({ blueScore, subsidy, miner }: CoinbasePayload): string {
  const { version, script } = miner.scriptPublicKey
  const writer = new ByteWriter(MAX_COINBASE_PAYLOAD).u64(blueScore).u64(subsidy).u16(version)
  return toHex(
    writer
      .u8(script.length / 2)
      .hex(script)
      .hex(miner.extraData)
      .written(),
  )
}

/** Undefined for a payload that the node cannot parse. */
export function readCoinbasePayload(payload: string): CoinbasePayload | undefined {
  const bytes = fromHex(payload, 'payload')
  if (bytes.length < FIXED_LENGTH || bytes.length > MAX_COINBASE_PAYLOAD) return undefined
  const view = new DataView(bytes.buffer)
  const scriptEnd = FIXED_LENGTH + view.getUint8(18)
  if (scriptEnd - FIXED_LENGTH > MAX_COINBASE_SCRIPT || scriptEnd > bytes.length) return undefined
  const script = toHex(bytes.subarray(FIXED_LENGTH, scriptEnd))
  return {
    blueScore: view.getBigUint64(0, true),
    subsidy: view.getBigUint64(8, true),
    miner: {
      scriptPublicKey: { version: view.getUint16(16, true), script },
      extraData: toHex(bytes.subarray(scriptEnd)),
    },
  }
}

/**
 * The coinbase of a block: one output for each merged blue, the selected parent's first, and one output to the block's
 * own miner for all reds. `rewards` are those of the merged blocks. A block outside the DAA window earns fees only, and
 * only as a red.
 */
export function createCoinbase(
  payload: CoinbasePayload,
  { blues, reds }: Ghostdag,
  rewards: ReadonlyMap<string, Reward>,
  outsideDaaWindow: ReadonlySet<string>,
): Transaction {
  const blueRewards = blues.filter((hash) => !outsideDaaWindow.has(hash)).map((hash) => payout(rewards.get(hash)))
  const redAmount = reds.reduce((sum, hash) => sum + amountOf(rewards.get(hash), !outsideDaaWindow.has(hash)), 0n)
  const redReward = { value: redAmount, scriptPublicKey: payload.miner.scriptPublicKey }
  return createTransaction({
    version: COINBASE_VERSION,
    inputs: [],
    outputs: [...blueRewards, redReward].filter(({ value }) => value > 0n),
    subnetworkId: COINBASE_SUBNETWORK,
    payload: writeCoinbasePayload(payload),
  })
}

function payout(reward: Reward | undefined): TransactionOutput {
  return { value: amountOf(reward, true), scriptPublicKey: reward?.miner.scriptPublicKey ?? { version: 0, script: '' } }
}

function amountOf(reward: Reward | undefined, withSubsidy: boolean): bigint {
  if (reward === undefined) return 0n
  return withSubsidy ? reward.subsidy + reward.fees : reward.fees
}
