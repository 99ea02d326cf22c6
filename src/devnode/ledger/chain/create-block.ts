import { blockHash, merkleRoot } from '../../../model/block.js'
import type { BlockContext, LedgerBlock, Miner } from '../block.js'
import { createCoinbase } from '../coinbase.js'
import { BLOCK_VERSION } from '../params.js'
import { toKnownTransaction, type KnownTransaction } from '../transaction.js'
import type { Acceptance } from './acceptance.js'

export interface BlockPlan {
  readonly context: BlockContext
  readonly acceptance: Acceptance
  readonly parentsByLevel: readonly (readonly string[])[]
  /** Without the coinbase. */
  readonly transactions: readonly KnownTransaction[]
  readonly miner: Miner
  /** Sompi. */
  readonly subsidy: bigint
  /** Unix milliseconds; raised above the past median time if necessary. */
  readonly timestamp: bigint
  /** Distinguishes otherwise equal blocks. */
  readonly nonce: bigint
  readonly bits: number
  readonly pruningPoint: string
}

/** Creates a block with its consensus hash, without proof of work. */
export function createBlock(plan: BlockPlan): LedgerBlock {
  const { context, acceptance, miner, subsidy } = plan
  const { ghostdag, outsideDaaWindow } = context
  const payload = { blueScore: ghostdag.blueScore, subsidy, miner }
  const coinbase = toKnownTransaction(createCoinbase(payload, ghostdag, acceptance.rewards, outsideDaaWindow))
  const transactions = [coinbase, ...plan.transactions]
  const header = {
    version: BLOCK_VERSION,
    parentsByLevel: plan.parentsByLevel,
    hashMerkleRoot: merkleRoot(transactions.map(({ hash }) => hash)),
    acceptedIdMerkleRoot: acceptance.acceptedIdMerkleRoot,
    utxoCommitment: acceptance.utxoCommitment,
    timestamp: plan.timestamp > context.pastMedianTime ? plan.timestamp : context.pastMedianTime + 1n,
    bits: plan.bits,
    nonce: plan.nonce,
    daaScore: context.daaScore,
    blueScore: ghostdag.blueScore,
    blueWork: writeBlueWork(ghostdag.blueWork),
    pruningPoint: plan.pruningPoint,
  }
  const hash = blockHash(header)
  return { hash, header: { hash, ...header }, transactions, context, miner, subsidy }
}

/** 192 bits in hex, most significant first. */
export const writeBlueWork = (work: bigint): string => work.toString(16).padStart(48, '0')
