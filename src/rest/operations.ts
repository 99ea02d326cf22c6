import type { SentIds } from '../model/bounded-collections.js'
import { createExecuteRequest } from './requests/execute-request.js'
import { createSend } from './requests/send.js'
import type { Store } from './requests/store.js'
import { createRestOperations, type RestOperations } from './endpoints/operations.js'
import type { RestSettings, SharedRequestOptions, RestPlatform } from './options.js'

export { createStore } from './requests/store.js'

/** The parts of a client before the operations are loaded. */
export interface RestParts {
  readonly settings: RestSettings
  readonly store: Store
  readonly request: typeof fetch
  readonly platform: RestPlatform
  readonly clearCache: (prefix?: string) => void
  readonly sentIds: SentIds
  /** Whether the key was cleared from the cache. */
  readonly isCleared: (key: string) => boolean
}

/** The operations, and variants of them with options for every call. */
export interface LoadedOperations {
  readonly operations: RestOperations
  readonly withOptions: (options: SharedRequestOptions) => RestOperations
}

/** The operations: endpoints, record shapes, request execution. */
export function createOperations({ settings, request, clearCache, sentIds, ...parts }: RestParts): LoadedOperations {
  const send = createSend(settings, request, parts.store, parts.platform.onRest)
  const execute = createExecuteRequest({ settings, send, ...parts })
  const create = (run: typeof execute) => createRestOperations(settings, run, clearCache, sentIds)
  return {
    operations: create(execute),
    withOptions: (shared) => create((prepared, options) => execute(prepared, { ...shared, ...options })),
  }
}
