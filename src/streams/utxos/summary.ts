import type { ChainError } from '../../errors/chain-error.js'
import { toBookError, toFreshness } from './book-phase.js'
import type { Book } from './book.js'
import type { Freshness, UtxoState } from './state.js'

/** How far a view can be trusted as a whole: as far as the worst of its books. */
export type Summary = Pick<UtxoState, 'freshness' | 'reason' | 'error'>

/** What stands in the way of a whole view, beyond what its books know. */
export interface Surroundings {
  readonly node: 'synced' | 'catching-up'
  /** An address that is none of this network; it has no book. */
  readonly misfit: ChainError | null
}

export const isSameSurroundings = (a: Surroundings, b: Surroundings): boolean =>
  a.node === b.node && a.misfit === b.misfit

const RANK: Readonly<Record<Freshness, number>> = { fresh: 0, stale: 1, loading: 2, unknown: 3 }

export function summarize(books: Iterable<Book>, { node, misfit }: Surroundings): Summary {
  if (misfit !== null) return { freshness: 'unknown', reason: 'wrong-network', error: misfit }
  let worst: Summary | null = null
  for (const { phase } of books) {
    const found = toFreshness(phase)
    if (worst === null || RANK[found.freshness] > RANK[worst.freshness]) worst = { ...found, error: toBookError(phase) }
  }
  if (worst === null) return { freshness: 'unknown', reason: 'idle', error: null }
  return worst.freshness === 'fresh' && node === 'catching-up'
    ? { freshness: 'stale', reason: 'not-synced', error: null }
    : worst
}
