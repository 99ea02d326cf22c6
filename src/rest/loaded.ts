import { ChainRestError } from '../errors/rest-error.js'
import { onceLoaded } from '../loading/once-loaded.js'
import type { RestOperations } from './endpoints/operations.js'

/**
 * The operations, loaded with the first question and once for all. A part of an app cannot be loaded where the app was
 * deployed anew meanwhile, or the connection is gone: that is told like any request that failed.
 */
export function loadedOnce(load: () => Promise<RestOperations>, baseUrl: string): () => Promise<RestOperations> {
  const once = onceLoaded(load)
  return () => once().catch((cause: unknown) => Promise.reject(notLoaded(baseUrl, cause)))
}

const notLoaded = (url: string, cause: unknown): ChainRestError =>
  new ChainRestError({
    code: 'network',
    method: 'GET',
    url,
    reason: 'the client itself could not be loaded',
    cause,
    hint: 'Load the page anew: the app may have been replaced by a newer one meanwhile.',
  })
