import { ChainRestError } from 'vue-chain'

/** What the indexer does not know is an answer like any other, and no failure. */
export function orNull(error: unknown): null {
  if (error instanceof ChainRestError && error.status === 404) return null
  throw error
}
