import { Subscription } from 'rxjs'
import type { ChainHeader } from '../chain/header.js'
import { cursorAt, startBackfill, type BackfillContext } from './backfill.js'
import type { TransferTransaction } from './transfer.js'

/** Opening credits, and the block after which the addresses count. */
export interface Opened {
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
