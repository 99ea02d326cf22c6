import { MEMORY, type Chain, type ChainStep } from './chain.js'
import type { Acceptance, Told } from './phases.js'

/** All that waits for an answer: what it will cover, and what was told since the question. */
export const waiting = (phase: {
  readonly told: readonly Told[]
  readonly covered?: readonly Told[]
}): readonly Told[] => [...(phase.covered ?? []), ...phase.told]

/**
 * What waits, and one more. What has waited for long is not worth keeping: the answer that is waited for will tell of it,
 * and so will the next.
 */
export const queue = (told: readonly Told[], one: Told): readonly Told[] =>
  told.length < MEMORY ? [...told, one] : ['missed']

/** Whether what was told brings the chain forward. */
export const isGrowth = (told: Told): boolean => told !== 'missed' && told.added.length > 0

/** Whether what was told ends where we stand: then what comes next follows. */
export const isAtTip = (chain: Chain, told: Told): boolean =>
  told !== 'missed' && told.added.length > 0 && told.added.at(-1)?.hash === chain.at(-1)?.hash

/** What was told to have left the chain. */
export const removedBy = (told: Told): readonly string[] => (told === 'missed' ? [] : told.removed)

/** A removal names the tip that it removes, so what comes after it follows for certain. */
export const toOrder = (order: Acceptance['order'], told: Told): Acceptance['order'] =>
  removedBy(told).length > 0 ? 'proven' : order

/** Two pages as one: what the second takes away, the first may have brought. */
export function joinPages(first: ChainStep, second: ChainStep): ChainStep {
  const gone = new Set(second.removed)
  const brought = new Set(first.added.map(({ hash }) => hash))
  return {
    removed: [...first.removed, ...second.removed.filter((hash) => !brought.has(hash))],
    added: [...first.added.filter(({ hash }) => !gone.has(hash)), ...second.added],
  }
}
