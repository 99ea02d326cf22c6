import { createExecuteRequest } from './requests/execute-request.js'
import { createSend } from './requests/send.js'
import type { Store } from './requests/store.js'
import { createRestOperations, type RestOperations } from './endpoints/operations.js'
import type { RestSettings } from './options.js'
import type { RestPlatform } from './platform.js'

export { createStore } from './requests/store.js'

/** The parts of a client before the operations are loaded. */
export interface RestParts {
  readonly settings: RestSettings
  readonly store: Store
  readonly request: typeof fetch
  readonly platform: RestPlatform
  readonly clearCache: (prefix?: string) => void
  /** Whether the key was cleared from the cache. */
  readonly isCleared: (key: string) => boolean
}

/** The operations: endpoints, record shapes, request execution. */
export const createOperations = ({ settings, request, clearCache, ...parts }: RestParts): RestOperations =>
  createRestOperations(
    settings,
    createExecuteRequest({ settings, send: createSend(settings, request, parts.store.limiter), ...parts }),
    clearCache,
  )
