import { ChainRestError } from '../errors/rest-error.js'
import { onceLoaded } from '../loading/once-loaded.js'

/**
 * The operations, loaded once with the first call. Loading fails after a new deployment of the app or without a connection,
 * and rejects with `ChainRestError` (`network`).
 */
export function loadOperationsOnce<Operations>(
  load: () => Promise<Operations>,
  baseUrl: string,
): () => Promise<Operations> {
  const once = onceLoaded(load)
  return () => once().catch((cause: unknown) => Promise.reject(loadFailed(baseUrl, cause)))
}

const loadFailed = (url: string, cause: unknown): ChainRestError =>
  new ChainRestError({
    code: 'network',
    method: 'GET',
    url,
    reason: 'the client itself could not be loaded',
    cause,
    hint: 'Reload the page: a newer version of the app may have been deployed.',
  })
