import { precede } from './beginning.js'
import { bury } from './buried.js'
import { MEMORY, type ChainOutcome } from './chain.js'
import { beyondMemory, toGap } from './gap.js'
import type { Acceptance, Told } from './phases.js'
import { isAtTip, removedBy, toOrder } from './told.js'

/** What becomes of the knowledge of the chain by what is learnt, and what of that is news. */

/** Takes an outcome over, and tells of it. */
export function tell(state: Acceptance, { chain, left, joined, changes, depth }: ChainOutcome, at: number): Acceptance {
  const last = state.chain.at(-1)?.hash
  const isForgotten = depth === 'forgotten' && state.past === 'told' && last !== undefined
  const next: Acceptance = {
    ...state,
    chain,
    buried: bury(
      state.buried,
      left.map(({ hash }) => hash),
      joined,
    ),
    past: chain.length === MEMORY ? 'told' : state.past,
    news: [...state.news, ...changes],
    lost: isForgotten ? { from: last, cause: beyondMemory() } : state.lost,
  }
  return declare(next, at)
}

/** Tells of what was lost, once it is known where things go on. */
export function declare(state: Acceptance, at: number): Acceptance {
  const { lost, chain } = state
  if (lost === null || chain.length === 0) return state
  return { ...state, lost: null, gap: toGap(lost.from, chain, lost.cause, at) }
}

/** What a step that is taken says besides: which blocks are gone, also those that were never known, and what follows. */
export const stepOn = (state: Acceptance, told: Told): Acceptance => ({
  ...state,
  order: toOrder(state.order, told),
  buried: bury(state.buried, removedBy(told)),
})

/** Says what was told of the beginning, where it was told too late to begin with. */
export function makeUp(state: Acceptance, told: Told, at: number): Acceptance {
  const outcome = state.past === 'told' || told === 'missed' ? null : precede(state.chain, told)
  return outcome === null ? state : tell(state, outcome, at)
}

/** What can be learnt of something told that brought nothing new: what has left the chain, and whether we are in step. */
export function note(state: Acceptance, told: Told): Acceptance {
  const buried = bury(state.buried, removedBy(told), state.chain)
  const order = isAtTip(state.chain, told) ? 'proven' : state.order
  return buried === state.buried && order === state.order ? state : { ...state, buried, order }
}
