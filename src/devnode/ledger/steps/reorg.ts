import { invalidArgument } from '../../../errors/chain-error.js'
import type { NodeNotification } from '../../../node/messages/records.js'
import type { BlockContext, LedgerBlock, Miner } from '../block.js'
import { findCoins, objectToEffect } from '../chain/acceptance.js'
import type { ChainState } from '../chain/chain-state.js'
import type { Network } from '../network.js'
import { Room } from '../rules/room.js'
import type { KnownTransaction } from '../transaction.js'
import { UtxoDraft } from '../utxo/draft.js'
import type { UtxoView } from '../utxo/utxo-set.js'
import { assemble } from './build.js'
import { settle } from './settle.js'

export interface ReorgPlan {
  readonly depth: number
  /** Ids that the new branch leaves out. */
  readonly drop: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly now: number
  readonly miner: Miner
}

export interface Reorganized {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
  readonly events: readonly NodeNotification[]
}

/**
 * A heavier branch takes over from the last `depth` chain blocks, with the same transactions as far as they are still good.
 * The old branch is merged by the next block, as on a real network, and what only it held takes effect again; unless something
 * is to be dropped: then nobody builds on the old branch any more.
 */
export function reorganize(network: Network, { depth, drop, now, miner }: ReorgPlan): Reorganized {
  const { state } = network
  const { chain } = state
  if (!Number.isInteger(depth) || depth < 1 || depth >= chain.length)
    throw invalidArgument('depth', `A reorg replaces 1 to ${String(chain.length - 1)} blocks, not ${String(depth)}`)
  const removed = [...chain.slice(chain.length - depth)].reverse()
  const fork = chain.at(chain.length - 1 - depth)
  const payments = paymentsOf(state, removed).filter(({ id }) => !drop.has(id))
  const blocks = growBranch(state, fork, depth, payments, { miner, now })
  if (drop.size > 0) abandonBranch(state, removed)
  return { removed, added: blocks.map(({ hash }) => hash), events: settle(network, blocks) }
}

/** Every tip that was built on the blocks that went. */
function abandonBranch(state: ChainState, removed: readonly string[]): void {
  const first = removed.at(-1)
  if (first === undefined) return
  for (const tip of state.dag.tips()) if (state.dag.isInPastOrSame(first, tip)) state.abandon(tip)
}

/** What the blocks that go held, and those they had merged: each once, in the order in which it took effect. */
function paymentsOf(state: ChainState, removed: readonly string[]): readonly KnownTransaction[] {
  const hashes = [...removed]
    .reverse()
    .flatMap((hash) => [...state.dag.get(hash).context.ghostdag.mergeset.slice(1), hash])
  const known = hashes.flatMap((hash) => state.dag.get(hash).transactions.slice(1))
  return [...new Map(known.map((payment) => [payment.id, payment])).values()]
}

interface Branching {
  readonly miner: Miner
  readonly now: number
}

/**
 * More than `depth` blocks one on another, as many as outweigh the sink: where the old branch has merged blocks beside it, it
 * is heavier than it is long. Each takes of the payments what is good there; its transactions must not depend on each other.
 */
function growBranch(
  state: ChainState,
  fork: string,
  depth: number,
  payments: readonly KnownTransaction[],
  { miner, now }: Branching,
): readonly LedgerBlock[] {
  const blocks: LedgerBlock[] = []
  const { sink } = state.chain
  let waiting = payments
  for (let parent = fork; blocks.length <= depth || !outweighs(state, parent, sink);) {
    const place = state.standOn([parent])
    const transactions = goodHere(state, place.coins, waiting, place.context)
    const block = assemble(state, place, { transactions, miner, timestamp: now, nonce: BigInt(state.dag.size) })
    state.insertMined(block, place.acceptance)
    waiting = waiting.filter((payment) => !transactions.includes(payment))
    blocks.push(block)
    parent = block.hash
  }
  return blocks
}

const outweighs = ({ dag }: ChainState, hash: string, other: string): boolean =>
  dag.weigh(hash).blueWork > dag.weigh(other).blueWork

function goodHere(
  { judge }: ChainState,
  coins: UtxoView,
  payments: readonly KnownTransaction[],
  context: BlockContext,
): readonly KnownTransaction[] {
  const from = { ...context, coinbaseMaturity: judge.coinbaseMaturity }
  const draft = new UtxoDraft(coins)
  const room = new Room()
  return payments.filter((payment) => {
    const spent = room.fits(payment) ? findCoins(payment, draft) : undefined
    if (spent === undefined || objectToEffect(payment, spent, from, judge.verified) !== undefined) return false
    for (const entry of spent) draft.spend(entry)
    room.take(payment)
    return true
  })
}
