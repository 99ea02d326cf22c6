import { MAX_CHAIN_BLOCKS, type Chain, type ChainStep } from './chain.js'
import type { Acceptance, ChainUpdate } from './phases.js'

/** All queued notifications: those the response will cover, and those received since the request. */
export const allQueued = (phase: {
  readonly queued: readonly ChainUpdate[]
  readonly covered?: readonly ChainUpdate[]
}): readonly ChainUpdate[] => [...(phase.covered ?? []), ...phase.queued]

/** Adds a notification to the queue. A full queue collapses to `dropped`: the responses cover its content. */
export const enqueue = (queued: readonly ChainUpdate[], update: ChainUpdate): readonly ChainUpdate[] =>
  queued.length < MAX_CHAIN_BLOCKS ? [...queued, update] : ['dropped']

export const addsBlocks = (update: ChainUpdate): boolean => update !== 'dropped' && update.added.length > 0

/** Whether a notification ends at the tip: then the next one follows. */
export const isAtTip = (chain: Chain, update: ChainUpdate): boolean =>
  update !== 'dropped' && update.added.length > 0 && update.added.at(-1)?.hash === chain.at(-1)?.hash

export const removedBy = (update: ChainUpdate): readonly string[] => (update === 'dropped' ? [] : update.removed)

/** A removal names the tip it removes, so the next notification follows for certain. */
export const nextOrder = (order: Acceptance['order'], update: ChainUpdate): Acceptance['order'] =>
  removedBy(update).length > 0 ? 'proven' : order

/** Joins two pages; the second may remove blocks that the first added. */
export function joinPages(first: ChainStep, second: ChainStep): ChainStep {
  const removed = new Set(second.removed)
  const added = new Set(first.added.map(({ hash }) => hash))
  return {
    removed: [...first.removed, ...second.removed.filter((hash) => !added.has(hash))],
    added: [...first.added.filter(({ hash }) => !removed.has(hash)), ...second.added],
  }
}
