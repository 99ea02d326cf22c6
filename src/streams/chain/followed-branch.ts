import { isHeavier, type ChainTip } from '../../model/chain-cursor/locator.js'
import type { ChainNetwork } from '../../model/network.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import { malformed } from '../../node/port.js'
import type { FollowedTransactions, ScoredBlock } from './reduce-chain.js'

/** The blocks that a new one is compared with: so many at least, where as many are known, and twice as many at most. */
const WINDOW = 1_000

/**
 * A chain block merges so many blocks at most, its selected parent included; the blue ones of them are its blue score.
 */
const MERGESET_SIZE_LIMIT = 248n

/**
 * Blue work is the sum of the work of blue blocks, so that work per blue score is their average difficulty. That is a
 * mean over 26,440 blocks, of which a block replaces one in forty steps: within 1,000 blocks it changes by a few
 * percent, and an honest chain never reaches four times the greatest. An invented, maximal work does: it would make
 * every other chain the lighter one.
 */
const MOST_GROWTH = 4

/**
 * Work per blue score below which growth is not limited. The difficulty of a network that one person mines leaps, after
 * its first 6,000 blocks and after each night without blocks.
 */
const FREE_WORK: Readonly<Partial<Record<ChainNetwork, number>>> = { simnet: 2 ** 64, devnet: 2 ** 64 }

interface RecentBlock {
  readonly blueScore: bigint
  readonly workPerScore: number
  /** Of what was read with transactions. */
  readonly ids: readonly string[]
}

/**
 * The newest blocks of the followed branch. The only place that decides whether chain blocks continue it: scores and
 * works rise as they can, and each transaction is accepted once. Mutable.
 */
export class FollowedBranch {
  #recent: readonly RecentBlock[] = []
  /** All ids of `#recent`. */
  #ids = new Set<string>()

  constructor(private readonly network: ChainNetwork) {}

  /**
   * Adds the chain after a block, or nothing of it: throws `ChainRpcError` (`malformed`) where it cannot be a chain.
   */
  add(after: ChainTip, blocks: readonly ScoredBlock<FollowedTransactions>[]): void {
    const added = toRecent(after, blocks)
    const kept = this.#recent.filter(({ blueScore }) => blueScore <= after.blueScore)
    this.#requireWork(kept.slice(-WINDOW), added)
    this.#addIds(kept, added)
    const all = [...kept, ...added]
    if (all.length <= 2 * WINDOW) this.#recent = all
    else this.#reset(all.slice(-WINDOW))
  }

  /**
   * Forgets all blocks, after a rewind: who invented the position may have invented the blocks that others are compared
   * with.
   */
  clear(): void {
    this.#reset([])
  }

  #reset(recent: readonly RecentBlock[]): void {
    this.#recent = recent
    this.#ids = idsOf(recent)
  }

  /** The first blocks after a start have none to be compared with but each other. */
  #requireWork(known: readonly RecentBlock[], added: readonly RecentBlock[]): void {
    const reference = known.length === 0 ? medianOf(added) : greatestOf(known)
    const bound = Math.max(MOST_GROWTH * reference, FREE_WORK[this.network] ?? 0)
    let greatest = bound
    for (const { workPerScore } of added) {
      if (workPerScore > greatest)
        throw malformed(METHOD, 'the blue work of a block does not follow from its blue score')
      greatest = Math.max(greatest, MOST_GROWTH * workPerScore)
    }
  }

  /** The ids of removed blocks, those that are not kept, are accepted again. Adds all ids, or none. */
  #addIds(kept: readonly RecentBlock[], added: readonly RecentBlock[]): void {
    const ids = kept.length === this.#recent.length ? this.#ids : idsOf(kept)
    let distinct = ids.size
    for (const block of added) {
      for (const id of block.ids) ids.add(id)
      distinct += block.ids.length
    }
    if (ids.size === distinct) this.#ids = ids
    else {
      this.#reset(this.#recent)
      throw malformed(METHOD, 'a transaction is accepted twice')
    }
  }
}

const idsOf = (blocks: readonly RecentBlock[]): Set<string> => new Set(blocks.flatMap(({ ids }) => ids))

const METHOD = 'getVirtualChainFromBlockV2'

function toRecent(after: ChainTip, blocks: readonly ScoredBlock<FollowedTransactions>[]): readonly RecentBlock[] {
  let before = after
  let workBefore = workOf(after)
  return blocks.map((block) => {
    const { blueScore, transactions } = block
    const score = blueScore - before.blueScore
    if (score < 1n || !isHeavier(block, before)) throw malformed(METHOD, 'the blue scores of the chain do not rise')
    if (score > MERGESET_SIZE_LIMIT) throw malformed(METHOD, 'a blue score rises by more than a block merges')
    const work = workOf(block)
    const added = workBefore === 0n ? 0n : work - workBefore // 0: unknown, in the cursor of a block alone
    before = block
    workBefore = work
    const ids = transactions instanceof TransactionIds ? [] : transactions.map(({ id }) => id)
    return { blueScore, workPerScore: Number(added) / Number(score), ids }
  })
}

const workOf = ({ blueWork }: ChainTip): bigint => BigInt(`0x0${blueWork}`)

const greatestOf = (blocks: readonly RecentBlock[]): number =>
  blocks.reduce((greatest, { workPerScore }) => Math.max(greatest, workPerScore), 0)

function medianOf(blocks: readonly RecentBlock[]): number {
  const works = blocks.map(({ workPerScore }) => workPerScore).sort((a, b) => a - b)
  return works[works.length >> 1] ?? 0
}
