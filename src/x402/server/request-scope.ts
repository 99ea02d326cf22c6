import { builtins } from '../../platform/node-process.js'
import type { StoredResponse, X402Payment } from '../settlement.js'
import type { RequestIdentity } from './check-payment.js'
import { fromBase64, toBase64 } from '../../model/base64.js'

/** What a settlement means for the response of its request. */
type RequestOutcome =
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
interface RequestScopes {
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

/** What the middleware of each framework needs. */
export interface ContextPort {
  readonly scopes: RequestScopes
  /** Stores the response of a handler, before it is sent; undefined where the handler failed. Never rejects. */
  readonly respond: (payment: X402Payment, response: StoredResponse | null | undefined) => Promise<void>
}

export interface ContextSettings {
  readonly origin: string | undefined
  readonly maxBody: number
}

/** Bytes of a stored response, at most. */
const MAX_RESPONSE = 262_144

/** Seconds after which a client presents a pending payment again. */
const RETRY_AFTER = 2

/** Headers of one connection, and those that are set again. */
const NOT_STORED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'set-cookie'])

/**
 * A response as the store keeps it; null where it is too large, undefined for a failure of the server, whose payment
 * has to be recovered.
 */
export function toStored(
  status: number,
  headers: Iterable<readonly [string, string]>,
  body: Uint8Array,
): StoredResponse | null | undefined {
  if (status >= 500) return undefined
  if (body.length > MAX_RESPONSE) return null
  const kept = [...headers].filter(([name]) => !NOT_STORED.has(name.toLowerCase()))
  return { status, headers: Object.fromEntries(kept), body: toBase64(body) }
}

/** What is sent in place of the response of the upstream middleware; undefined where that is sent as it is. */
export function replacementOf(outcome: RequestOutcome):
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Uint8Array | undefined
    }
  | undefined {
  switch (outcome.type) {
    case 'replay': {
      const { status, headers, body } = outcome.response
      return { status, headers, body: fromBase64(body) }
    }
    case 'pending':
      return { status: 503, headers: { 'retry-after': String(RETRY_AFTER) }, body: undefined }
    case 'none':
    case 'serving':
      return undefined
  }
}
