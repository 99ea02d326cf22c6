import { ChainError } from '../../errors/chain-error.js'
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
  /** Unix ms at which the caller gets a response, whatever the chain shows; set by the first settlement. */
  deadline: number | undefined
  outcome: RequestOutcome
}

/** The scope of the request that the code runs for. */
export interface RequestScopes {
  readonly current: () => RequestScope | undefined
  readonly run: <T>(scope: RequestScope, work: () => T) => T
}

/** Throws `ChainError` (`unsupported`) where the runtime has no asynchronous contexts. */
export function createRequestScopes(): RequestScopes {
  const storage = openStorage()
  return { current: () => storage.getStore(), run: (scope, work) => storage.run(scope, work) }
}

/** As much of `AsyncLocalStorage` as is used. */
interface ScopeStorage {
  getStore(): RequestScope | undefined
  run<T>(scope: RequestScope, work: () => T): T
}

/** Without an import: bundlers for browsers, where agents pay, must not find it. */
function openStorage(): ScopeStorage {
  const hooks = builtins()?.getBuiltinModule('node:async_hooks')
  if (hooks !== undefined) return new hooks.AsyncLocalStorage<RequestScope>()
  throw new ChainError('A facilitator needs asynchronous contexts', {
    code: 'unsupported',
    hint: 'Run it on Node 20.16 or later, or on a runtime with node:async_hooks.',
  })
}
