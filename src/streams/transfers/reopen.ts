import { Subscription } from 'rxjs'
import type { ChainHeader } from '../chain/header.js'
import { cursorAt, startBackfill, type BackfillContext } from './backfill.js'
import type { TransferTransaction } from './transfer.js'
import { historyGap, type HistoryGapError } from '../../errors/history-gap.js'
import type { ChainLocator, LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainRollback, LocatedBatch } from '../chain/batch.js'
import type { FindOpenings, Openings } from './openings.js'

/** Opening credits, and the block after which the addresses count. */
interface Opened {
  readonly start: ChainHeader
  readonly transactions: readonly TransferTransaction[]
}

/** Reads the opening credits of addresses at a block; after a reorg below it, at the fork point. */
export type OpenAddresses = (at: ChainHeader, addresses: readonly string[]) => Promise<Opened>

/** Passes end with `lifetime`. */
export const openAddresses =
  (context: BackfillContext, lifetime: Subscription): OpenAddresses =>
  async (at, addresses) => {
    if (addresses.length === 0) return { start: at, transactions: [] }
    const cursor = cursorAt(at, context.network)
    const pass = startBackfill(context, { cursor, addresses, keeps: 'openings' })
    const teardown = new Subscription(() => pass.end())
    lifetime.add(teardown)
    try {
      await pass.ready
      return { start: pass.start(), transactions: pass.take(pass.start()) }
    } finally {
      lifetime.remove(teardown)
      pass.end()
    }
  }

export interface ReopenContext {
  readonly openings: Openings
  readonly findOpenings: FindOpenings | undefined
  readonly isCounting: (address: string) => boolean
  /** All addresses that count. */
  readonly counting: () => readonly string[]
  readonly open: OpenAddresses
  readonly readHeader: (hash: string) => Promise<ChainHeader>
  /** The next batch of the chain; undefined at its end. */
  readonly nextBatch: () => Promise<LocatedBatch | undefined>
  readonly toCursor: (locator: ChainLocator) => string
  /** The position before the batch. */
  readonly position: LocatorEntry
}

export interface Reopened {
  /** The batch, or it and later ones, where a deeper reorg followed. */
  readonly batch: LocatedBatch
  /** Opening credits at the fork point. */
  readonly transactions: readonly TransferTransaction[]
}

/**
 * Opening credits of the addresses whose start a rollback undoes. Rejects with `history-gap` where the cursor of an
 * earlier process does not name all of them.
 */
export async function reopen(pulled: LocatedBatch, context: ReopenContext): Promise<Reopened> {
  const { counting, open, readHeader, nextBatch } = context
  let batch = pulled
  for (;;) {
    const { rollback } = batch
    if (rollback === null) return { batch, transactions: [] }
    const openings = await openingsAbove(rollback.blueScore, context)
    if (openings === undefined) throw unknownStarts(batch, rollback, context)
    const addresses = openings.above(rollback.blueScore, counting)
    if (addresses.length === 0) return { batch, transactions: [] }
    const { start, transactions } = await open(await readHeader(rollback.hash), addresses)
    if (start.blueScore >= rollback.blueScore) {
      openings.lowerTo(rollback.blueScore)
      return { batch, transactions }
    }
    const next = await nextBatch() // a deeper reorg in the meantime: the chain reports it next
    if (next === undefined) return { batch, transactions: [] }
    batch = mergeBatches(batch, next)
  }
}

/** All starts above a blue score; undefined where the cursor does not name them, and they are not looked up. */
async function openingsAbove(
  blueScore: bigint,
  { openings, findOpenings, isCounting }: ReopenContext,
): Promise<Openings | undefined> {
  if (findOpenings === undefined) return openings.isKnownAbove(blueScore) ? openings : undefined
  openings.restore(await findOpenings(blueScore), isCounting)
  return openings
}

function unknownStarts(
  { locator }: LocatedBatch,
  { hash, blueScore }: ChainRollback,
  { position: from, toCursor }: ReopenContext,
): HistoryGapError {
  const resumeCursor = toCursor(locator)
  return historyGap({ from, to: { hash, blueScore }, reason: 'unknown-history', resumeCursor }, undefined)
}

/** Two consecutive batches as one. */
function mergeBatches(first: LocatedBatch, second: LocatedBatch): LocatedBatch {
  const { rollback } = second
  if (rollback === null) return { ...second, rollback: first.rollback, blocks: [...first.blocks, ...second.blocks] }
  const kept = first.blocks.filter(({ blueScore }) => blueScore <= rollback.blueScore)
  const isDeeper = first.rollback === null || rollback.blueScore < first.rollback.blueScore
  return { ...second, rollback: isDeeper ? rollback : first.rollback, blocks: [...kept, ...second.blocks] }
}
