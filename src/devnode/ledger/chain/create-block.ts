import { blockHash, merkleRoot } from '../../../model/block.js'
import { type BlockContext, type LedgerBlock, type Miner, createCoinbase } from '../block.js'
import { BLOCK_VERSION, SUBSIDIES, MAX_BLOCK_LEVEL } from '../params.js'
import { toKnownTransaction, type KnownTransaction } from '../transaction.js'
import type { Acceptance } from './acceptance.js'
import type { ChainNetwork } from '../../../model/network.js'
import type { ChainState } from './chain-state.js'
import type { Virtual } from './virtual-chain.js'
import type { RpcHeader } from '../../../node/messages/records.js'
import type { Dag } from './dag.js'

interface BlockPlan {
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
function createBlock(plan: BlockPlan): LedgerBlock {
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

interface Assembly {
  /** Without the coinbase. */
  readonly transactions: readonly KnownTransaction[]
  readonly miner: Miner
  /** Unix milliseconds. */
  readonly timestamp: number
  /** @default 0n */
  readonly nonce?: bigint
  /** Sompi. @default the subsidy of the network */
  readonly subsidy?: bigint
}

/** Builds a block with the parents of the given virtual. */
export function assemble(state: ChainState, { context, acceptance }: Virtual, assembly: Assembly): LedgerBlock {
  const { dag, network } = state
  const { timestamp, nonce = 0n, subsidy = subsidyOf(network) } = assembly
  const { bits } = dag.get(dag.genesis).header
  return createBlock({
    ...assembly,
    context,
    acceptance,
    parentsByLevel: parentsByLevel(dag, context.parents),
    subsidy,
    nonce,
    timestamp: BigInt(timestamp),
    bits,
    pruningPoint: dag.genesis,
  })
}

const subsidyOf = (network: ChainNetwork): bigint => SUBSIDIES[network]

/**
 * The parents in a header: the direct parents on level 0, and on each higher level the nearest past blocks of at least
 * that level. Half of the blocks of a level reach the next. Levels with genesis only are omitted.
 *
 * On a real network the level of a block follows from its proof of work, here from its hash.
 */
function parentsByLevel(dag: Dag, parents: readonly string[]): readonly (readonly string[])[] {
  const levels: (readonly string[])[] = [parents]
  for (let level = 1; level <= MAX_BLOCK_LEVEL; level++) {
    const above = parentsOnLevel(dag, parents, level)
    if (above.length === 1 && above[0] === dag.genesis) break
    levels.push(above)
  }
  return levels
}

/** Whether a header has the expected parents on every level, in any order. */
export function hasExpectedParents(dag: Dag, { parentsByLevel: actual }: Pick<RpcHeader, 'parentsByLevel'>): boolean {
  const expected = parentsByLevel(dag, actual[0] ?? [])
  return (
    expected.length === actual.length &&
    expected.every(
      (level, index) => level.length === actual[index]?.length && level.every((hash) => actual[index]?.includes(hash)),
    )
  )
}

/** Parents of at least that level, and for lower ones their own parents on it; none is an ancestor of another. */
function parentsOnLevel(dag: Dag, parents: readonly string[], level: number): readonly string[] {
  const highParents = parents.filter((parent) => levelOf(dag, parent) >= level)
  const [first = '', ...others] = parents
  const initial = highParents.length > 0 ? highParents : parentsOfBlock(dag, first, level)
  const lowParents = (highParents.length > 0 ? parents : others).filter((parent) => !highParents.includes(parent))
  const candidates = new Set(lowParents.flatMap((parent) => parentsOfBlock(dag, parent, level)))
  return [...candidates].reduce((chosen, candidate) => withCandidate(dag, chosen, candidate), initial)
}

/** Adds a candidate and removes its ancestors, unless it is an ancestor itself. */
function withCandidate(dag: Dag, chosen: readonly string[], candidate: string): readonly string[] {
  if (dag.isInPastOfAny(candidate, chosen)) return chosen
  return [...chosen.filter((hash) => !dag.isInPast(hash, candidate)), candidate]
}

/** The parents of a block on a level; genesis if its header omits that level. */
function parentsOfBlock(dag: Dag, hash: string, level: number): readonly string[] {
  if (hash === dag.genesis) return []
  return dag.get(hash).header.parentsByLevel[level] ?? [dag.genesis]
}

/** Leading zero bits of every block at the maximum target; only further ones raise the level. */
const EASY_BITS = 256 - MAX_BLOCK_LEVEL

/** Leading zero bits of the hash beyond `EASY_BITS`. Genesis has the maximum level. */
function levelOf(dag: Dag, hash: string): number {
  if (hash === dag.genesis) return MAX_BLOCK_LEVEL
  const zeros = hash.search(/[^0]/)
  const digit = Number.parseInt(hash[zeros] ?? '0', 16)
  return Math.max(0, 4 * zeros + Math.clz32(digit) - 28 - EASY_BITS)
}
