import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import { createChainReader } from './chain-reader.js'
import type { FollowedTransactions } from './page.js'
import { takeStep, type ChainStep } from './reduce-chain.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'

/** A batch as it is followed, with its position. */
export interface FollowedBatch extends ChainStep<FollowedTransactions> {
  readonly locator: ChainLocator
}

/**
 * The batches of one iteration. Reads a page when the last one was taken, so that a slow consumer bounds what is read
 * and held.
 */
export async function* chainBatches(
  scope: FollowScope,
  settings: FollowSettings,
): AsyncGenerator<FollowedBatch, undefined, undefined> {
  const reader = createChainReader(scope, settings)
  let state = await reader.start()
  for (;;) {
    scope.throwIfEnded()
    const taken = takeStep(state, settings.maxBlocks)
    state = taken?.state ?? (await reader.next(state))
    if (taken !== null) yield { ...taken.step, locator: state.locator }
  }
}
