import { encodeCursor } from '../../model/chain-cursor/cursor.js'
import type { ChainBatch, ChainBlock } from './batch.js'
import { createChainReader } from './chain-reader.js'
import type { FollowedTransaction } from './page.js'
import { takeStep } from './reduce-chain.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'

/**
 * The batches of one iteration. Reads a page when the last one was taken, so that a slow consumer bounds what is read
 * and held.
 */
export async function* chainBatches(
  scope: FollowScope,
  settings: FollowSettings,
): AsyncGenerator<ChainBatch<ChainBlock<FollowedTransaction>>, undefined, undefined> {
  const reader = createChainReader(scope, settings)
  let state = await reader.start()
  for (;;) {
    scope.throwIfEnded()
    const taken = takeStep(state, settings.maxBlocks)
    state = taken?.state ?? (await reader.next(state))
    if (taken !== null) yield { ...taken.step, cursor: encodeCursor(state.locator, settings.network) }
  }
}
