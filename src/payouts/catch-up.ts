import { decodeCursor } from '../model/chain-cursor/cursor.js'
import { creditsOf, storeStep, type FollowerContext } from './chain-follower.js'
import { netOf } from '../streams/transfers/extract.js'
import type { TransferTransaction } from '../streams/transfers/transfer.js'

/** Where a queue catches up to, and how the feed reads the chain. */
interface CatchUpTarget {
  /** The position of the feed. */
  readonly cursor: string
  /** That of the feed: nothing above its position is read. */
  readonly minConfirmations: number
  /** How deep a block must be below a position, in blue score, until its payments are settled. */
  readonly depth: number
}

/** Blocks of a batch: many, then one by one up to the block of the position, which may be in the middle of many. */
const BATCHES = [100, 1]

/**
 * Follows the chain alone up to the position of a feed. Resolves to false where the queue is ahead of it, or where its
 * block is no block of the chain any more: what was read until then is stored. Rejects as `followTransfers` does.
 */
export async function catchUp(target: CatchUpTarget, context: FollowerContext): Promise<boolean> {
  const { rows, node } = context
  const { cursor } = rows.wallet
  if (cursor === null) return true // nothing was ever signed
  const [from, to] = [cursor, target.cursor].map((each) => decodeCursor(each, node.network).tip)
  if (from?.hash === to?.hash) return true
  if (from === undefined || to === undefined || from.blueScore > to.blueScore) return false
  for (const maxBlocks of BATCHES) if (await followTo(to, maxBlocks, target, context)) return true
  return false
}

/** Resolves to true at the block, and to false before a batch that ends above it. */
async function followTo(
  block: { readonly hash: string; readonly blueScore: bigint },
  maxBlocks: number,
  { minConfirmations, depth }: CatchUpTarget,
  { engine, node, rows, options, signal, onStep, onBehind }: FollowerContext,
): Promise<boolean> {
  const batches = engine.followTransfers({
    addresses: options.addresses,
    cursor: rows.wallet.cursor ?? undefined,
    minConfirmations,
    maxBlocks,
    onProblem: onBehind,
    findCredits: () => creditsOf({ rows, node }),
    signal,
  })
  for await (const batch of batches) {
    const { tip } = decodeCursor(batch.cursor, node.network)
    if (tip.blueScore > block.blueScore) return false
    const stored = await storeStep(batch, rows, { minConfirmations: depth, isDue: true })
    onStep({ ...stored, blueScore: tip.blueScore, isLive: false })
    if (tip.hash === block.hash) return true
  }
  return false
}

/**
 * What `followTransfers` of the addresses alone would report: their transfers, with recipients that the feed watches as
 * counterparties.
 */
export const ownTransactions = (
  transactions: readonly TransferTransaction[],
  isOwn: (address: string) => boolean,
): readonly TransferTransaction[] =>
  transactions.flatMap((transaction) => {
    const transfers = transaction.transfers.filter(({ address }) => isOwn(address))
    if (transfers.length === 0) return []
    const recipients = transaction.transfers
      .filter(({ address, direction }) => direction === 'credit' && !isOwn(address))
      .map(({ address }) => address)
    const own = transfers.map((transfer) =>
      transfer.direction === 'debit' && recipients.length > 0
        ? { ...transfer, counterparties: [...new Set([...transfer.counterparties, ...recipients])] }
        : transfer,
    )
    return [{ ...transaction, transfers: own, net: netOf(own) }]
  })
