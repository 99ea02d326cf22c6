import { ChainRestError } from 'vue-chain'

/** Maps status 404 to null; rethrows other errors. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ChainRestError && error.status === 404) return null
  throw error
}
