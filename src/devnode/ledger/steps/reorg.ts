import { invalidArgument } from '../../../errors/chain-error.js'
import type { NodeNotification } from '../../../node/messages/records.js'
import type { BlockContext, LedgerBlock, Miner } from '../block.js'
import { findUtxos, validateInUtxoContext } from '../chain/acceptance.js'
import type { ChainState } from '../chain/chain-state.js'
import type { Network } from '../network.js'
import { BlockCapacity } from '../mempool/selection.js'
import { type KnownTransaction, toKnownTransaction } from '../transaction.js'
import { UtxoDraft, type UtxoView } from '../utxo-set.js'
import { assemble } from '../chain/create-block.js'
import { resolveVirtual } from './mine.js'
import { storageMass } from '../../../model/mass.js'

interface ReorgPlan {
  readonly depth: number
  /** Ids that the new branch leaves out. */
  readonly drop: ReadonlySet<string>
  /** Ids of transactions whose UTXOs the new branch spends in other transactions. */
  readonly doubleSpend: ReadonlySet<string>
  /** Unix milliseconds. */
  readonly now: number
  readonly miner: Miner
}

interface Reorganized {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
  readonly events: readonly NodeNotification[]
}

/**
 * Replaces the last `depth` chain blocks by a heavier branch with the same transactions as far as they are still valid.
 * The next block merges the old branch, as on a real network, so that its remaining transactions are accepted again.
 * With `drop`, the old branch is abandoned instead.
 */
export function reorganize(network: Network, { depth, drop, doubleSpend: ids, now, miner }: ReorgPlan): Reorganized {
  const { state } = network
  const { chain } = state
  if (!Number.isInteger(depth) || depth < 1 || depth >= chain.length)
    throw invalidArgument('depth', `A reorg replaces 1 to ${String(chain.length - 1)} blocks, not ${String(depth)}`)
  const removed = [...chain.slice(chain.length - depth)].reverse()
  const fork = chain.at(chain.length - 1 - depth)
  const kept = paymentsOf(state, removed).filter(({ id }) => !drop.has(id))
  const payments = doubleSpend(state, fork, kept, ids)
  const blocks = growBranch(state, fork, depth, payments, { miner, now })
  if (drop.size > 0) abandonBranch(state, removed)
  return { removed, added: blocks.map(({ hash }) => hash), events: resolveVirtual(network, blocks) }
}

/** Abandons every tip in the future of the removed blocks. */
function abandonBranch(state: ChainState, removed: readonly string[]): void {
  const first = removed.at(-1)
  if (first === undefined) return
  for (const tip of state.dag.tips()) if (state.dag.isInPastOrSame(first, tip)) state.abandon(tip)
}

/** Transactions of the removed blocks and of the blocks they merged, without duplicates, in consensus order. */
function paymentsOf(state: ChainState, removed: readonly string[]): readonly KnownTransaction[] {
  const hashes = [...removed]
    .reverse()
    .flatMap((hash) => [...state.dag.get(hash).context.ghostdag.mergeset.slice(1), hash])
  const known = hashes.flatMap((hash) => state.dag.get(hash).transactions.slice(1))
  return [...new Map(known.map((payment) => [payment.id, payment])).values()]
}

interface BranchOptions {
  readonly miner: Miner
  readonly now: number
}

/**
 * A chain of more than `depth` blocks that outweighs the sink: merged blocks add to the blue work of the old branch, so
 * length alone does not suffice. Each block includes the payments valid on it; transactions of a block must not depend
 * on each other.
 */
function growBranch(
  state: ChainState,
  fork: string,
  depth: number,
  payments: readonly KnownTransaction[],
  { miner, now }: BranchOptions,
): readonly LedgerBlock[] {
  const blocks: LedgerBlock[] = []
  const { sink } = state.chain
  let pending = payments
  for (let parent = fork; blocks.length <= depth || !outweighs(state, parent, sink);) {
    const virtual = state.virtualOn([parent])
    const transactions = selectValid(state, virtual.utxos, pending, virtual.context)
    const block = assemble(state, virtual, { transactions, miner, timestamp: now, nonce: BigInt(state.dag.size) })
    state.insertMined(block, virtual.acceptance)
    pending = pending.filter((payment) => !transactions.includes(payment))
    blocks.push(block)
    parent = block.hash
  }
  return blocks
}

const outweighs = ({ dag }: ChainState, hash: string, other: string): boolean =>
  dag.sortable(hash).blueWork > dag.sortable(other).blueWork

function selectValid(
  { validation }: ChainState,
  utxos: UtxoView,
  payments: readonly KnownTransaction[],
  context: BlockContext,
): readonly KnownTransaction[] {
  const inclusion = { ...context, coinbaseMaturity: validation.coinbaseMaturity }
  const draft = new UtxoDraft(utxos)
  const capacity = new BlockCapacity()
  return payments.filter((payment) => {
    const spent = capacity.fits(payment) ? findUtxos(payment, draft) : undefined
    if (
      spent === undefined ||
      validateInUtxoContext(payment, spent, inclusion, validation.verificationCache) !== undefined
    )
      return false
    for (const entry of spent) draft.spend(entry)
    capacity.add(payment)
    return true
  })
}

/** Fee of a double spend, in sompi. */
const FEE = 10_000n

/**
 * Replaces payments by transactions that spend the same UTXOs and pay them back to the address of the first one. They
 * have no signature: this node accepts them as if they were signed. A payment that spends no UTXO at `fork` is left
 * out.
 */
function doubleSpend(
  state: ChainState,
  fork: string,
  payments: readonly KnownTransaction[],
  ids: ReadonlySet<string>,
): readonly KnownTransaction[] {
  if (ids.size === 0) return payments
  const { utxos } = state.virtualOn([fork])
  return payments.flatMap((payment) => {
    if (!ids.has(payment.id)) return [payment]
    const [first, ...others] = findUtxos(payment, utxos) ?? []
    if (first === undefined) return []
    const value = others.reduce((sum, { amount }) => sum + amount, first.amount) - FEE
    const unweighed = { ...payment.transaction, outputs: [{ value, scriptPublicKey: first.scriptPublicKey }] }
    const known = toKnownTransaction({ ...unweighed, mass: storageMass(unweighed, [first, ...others]) })
    state.validation.verificationCache.trust(known)
    return [known]
  })
}
