import { toStartOutcome } from './chain-start.js'
import { recordRemoved } from './removed-blocks.js'
import { MAX_CHAIN_BLOCKS, type ChainOutcome } from './chain.js'
import { beyondLimit, toGap } from './gap.js'
import type { Acceptance, ChainUpdate } from './phases.js'
import { isAtTip, removedBy, nextOrder } from './updates.js'

/** Applies an outcome to the state and queues its changes for emission. */
export function applyOutcome(
  state: Acceptance,
  { chain, left, joined, changes, depth }: ChainOutcome,
  at: number,
): Acceptance {
  const last = state.chain.at(-1)?.hash
  const isBeyondLimit = depth === 'beyond-limit' && state.priorChanges === 'emitted' && last !== undefined
  const next: Acceptance = {
    ...state,
    chain,
    removedBlocks: recordRemoved(
      state.removedBlocks,
      left.map(({ hash }) => hash),
      joined,
    ),
    priorChanges: chain.length === MAX_CHAIN_BLOCKS ? 'emitted' : state.priorChanges,
    changes: [...state.changes, ...changes],
    pendingGap: isBeyondLimit ? { from: last, cause: beyondLimit() } : state.pendingGap,
  }
  return emitGap(next, at)
}

/** Emits a pending gap once the block after it is known. */
export function emitGap(state: Acceptance, at: number): Acceptance {
  const { pendingGap, chain } = state
  if (pendingGap === null || chain.length === 0) return state
  return { ...state, pendingGap: null, gap: toGap(pendingGap.from, chain, pendingGap.cause, at) }
}

/** Records the removed blocks and the order after an applied step. */
export const recordStep = (state: Acceptance, update: ChainUpdate): Acceptance => ({
  ...state,
  order: nextOrder(state.order, update),
  removedBlocks: recordRemoved(state.removedBlocks, removedBy(update)),
})

/** Emits the transactions of the first chain block, if they are notified after the `getSink` response. */
export function backfillStart(state: Acceptance, update: ChainUpdate, at: number): Acceptance {
  const outcome = state.priorChanges === 'emitted' || update === 'dropped' ? null : toStartOutcome(state.chain, update)
  return outcome === null ? state : applyOutcome(state, outcome, at)
}

/** Records the removed blocks and the order after a known step. */
export function recordKnown(state: Acceptance, update: ChainUpdate): Acceptance {
  const removedBlocks = recordRemoved(state.removedBlocks, removedBy(update), state.chain)
  const order = isAtTip(state.chain, update) ? 'proven' : state.order
  return removedBlocks === state.removedBlocks && order === state.order ? state : { ...state, removedBlocks, order }
}
