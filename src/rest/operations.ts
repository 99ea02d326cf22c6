import { createInquire } from './asking/ask.js'
import { createSend } from './asking/send.js'
import type { Store } from './asking/store.js'
import { createRestOperations, type RestOperations } from './endpoints/operations.js'
import type { RestSettings } from './options.js'
import type { RestPlatform } from './platform.js'

export { createStore } from './asking/store.js'

/** What a client is made of before anything is asked of it. */
export interface RestParts {
  readonly settings: RestSettings
  readonly store: Store
  readonly request: typeof fetch
  readonly platform: RestPlatform
  readonly clearCache: (prefix?: string) => void
}

/** The operations themselves: the endpoints, the shapes of their records, and how an answer is sought and waited for. */
export const createOperations = ({ settings, store, request, platform, clearCache }: RestParts): RestOperations =>
  createRestOperations(
    settings,
    createInquire(settings, store, createSend(settings, request, store.gate), platform),
    clearCache,
  )
