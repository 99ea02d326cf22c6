import { builtins } from '../../platform/node-process.js'
import type { StoredResponse, X402Payment } from '../settlement/payment.js'
import type { RequestIdentity } from './check-payment.js'

/** What a settlement means for the response of its request. */
export type RequestOutcome =
  | { readonly type: 'none' }
  /** The handler runs for this payment; its response is stored before it is sent. */
  | { readonly type: 'serving'; readonly payment: X402Payment }
  /** The stored response of the same request takes the place of any other. */
  | { readonly type: 'replay'; readonly response: StoredResponse }
  /** 503: the same payment has to be presented again. */
  | { readonly type: 'pending' }

/** One request of a client while it is handled. */
export interface RequestScope {
  readonly identity: RequestIdentity
  /** Whether the handler runs in this process: else what is settled is served. */
  readonly hasHandler: boolean
  /** When the caller gets a response, whatever the chain shows, by `performance.now()`; set by the first call. */
  deadline: number | undefined
  outcome: RequestOutcome
}

/** The scope of the request that the code runs for. */
export interface RequestScopes {
  /** Whether what `work` does later is within its scope, too. */
  readonly isAsync: boolean
  readonly current: () => RequestScope | undefined
  readonly run: <T>(scope: RequestScope, work: () => T) => T
}

/**
 * Scopes for whatever a request does, on runtimes with asynchronous contexts. Elsewhere, such as in a page, only what
 * `work` calls at once is in its scope: a settlement that begins later is bound to no request, and refused.
 */
export function createRequestScopes(storage: ScopeStorage | null = openStorage()): RequestScopes {
  if (storage === null) return createSyncScopes()
  return { isAsync: true, current: () => storage.getStore(), run: (scope, work) => storage.run(scope, work) }
}

function createSyncScopes(): RequestScopes {
  let current: RequestScope | undefined
  return {
    isAsync: false,
    current: () => current,
    run(scope, work) {
      const outer = current
      current = scope
      try {
        return work()
      } finally {
        current = outer
      }
    },
  }
}

/** As much of `AsyncLocalStorage` as is used. */
interface ScopeStorage {
  getStore(): RequestScope | undefined
  run<T>(scope: RequestScope, work: () => T): T
}

/** Without an import: bundlers for browsers, where agents pay, must not find it. */
function openStorage(): ScopeStorage | null {
  const hooks = builtins()?.getBuiltinModule('node:async_hooks')
  return hooks === undefined ? null : new hooks.AsyncLocalStorage<RequestScope>()
}
