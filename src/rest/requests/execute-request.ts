import { CancelledError } from '@tanstack/query-core'
import { catchError, defer, firstValueFrom, switchMap, type Observable } from 'rxjs'
import type { ChainRestRequestOptions, RestSettings, RestPlatform } from '../options.js'
import type { FetchSpec } from './shared-fetches.js'
import { bypassesCache } from '../shared-cache.js'
import { freshnessOf, type CachedValue } from './freshness.js'
import type { PreparedRequest } from './prepared-request.js'
import { aborted, disposed, withDeadline, isRetryable, retryDelay, type HttpCacheMode, type Send } from './send.js'
import type { Store } from './store.js'

/** Returns the response from the cache, else from the server. Rejects with `ChainRestError`. */
export type ExecuteRequest = <T>(request: PreparedRequest<T>, options?: ChainRestRequestOptions) => Promise<T>

interface Dependencies {
  readonly settings: RestSettings
  readonly store: Store
  readonly send: Send
  readonly platform: RestPlatform
  /** Whether the key was cleared from the cache: HTTP caches may still hold the old response. */
  readonly isCleared: (key: string) => boolean
}

export function createExecuteRequest(context: Dependencies): ExecuteRequest {
  const { settings, store } = context

  return async (request, options = {}) => {
    const { signal, cache, forceRefresh } = options
    if (signal?.aborted === true) throw aborted(toTarget(settings, request), signal.reason)
    const cacheTime =
      cache === false || request.cache.cacheTime === 0 ? 0 : (settings.cacheTime ?? request.cache.cacheTime)
    const cached =
      cacheTime === 0 || forceRefresh === true ? undefined : findCached(context, request, cacheTime, options)
    if (cached !== undefined) {
      const { method, path } = request
      context.platform.onRest?.({ method, path, status: null, ms: 0, source: 'cache', outcome: 'ok' })
      return cached.value
    }
    // without caching nothing is shared: each call is one request
    const key = cacheTime === 0 ? store.uniqueKey(request.key) : request.key
    return (await firstValueFrom(fetch$(context, { ...request, key }, cacheTime, options))).value
  }
}

/** The cached response if it is fresh or stale; a stale one is revalidated in the background. */
function findCached<T>(
  context: Dependencies,
  request: PreparedRequest<T>,
  cacheTime: number,
  options: ChainRestRequestOptions,
): CachedValue<T> | undefined {
  const entry = context.store.get<T>(request.key, cacheTime)
  if (entry === undefined) return undefined
  const staleTime = staleTimeOf(context, options)
  const freshness = freshnessOf(entry.kept, Date.now() - entry.at, staleTime, options.staleWhileRevalidate)
  if (freshness === 'expired') return undefined
  // no signal: revalidation continues after this call, and its failure is not reported
  if (freshness === 'stale') {
    fetch$(context, request, cacheTime, { ...options, signal: undefined }).subscribe({ error: () => undefined })
  }
  return entry.kept
}

/** Undefined where the response itself decides. */
function staleTimeOf({ settings }: Dependencies, { signal, staleTime }: ChainRestRequestOptions): number | undefined {
  return bypassesCache(signal) ? 0 : (staleTime ?? settings.staleTime)
}

/** A forced refresh, or a request after the cache was cleared, never joins a fetch that started before. */
function fetch$<T>(
  context: Dependencies,
  request: PreparedRequest<T>,
  cacheTime: number,
  options: ChainRestRequestOptions,
): Observable<CachedValue<T>> {
  const { settings, store, platform } = context
  const target = toTarget(settings, request)
  const timeout = options.timeout ?? settings.timeout ?? (request.slow === true ? 90_000 : 30_000)
  const response$ = store.fetch$(toFetchSpec(context, request, cacheTime, options, timeout))
  const needsNewFetch = options.forceRefresh === true || store.isInvalidated(request.key)
  return (needsNewFetch ? defer(() => store.settled(request.key)).pipe(switchMap(() => response$)) : response$).pipe(
    withDeadline(target, { timeout, signal: options.signal }, platform.scheduler),
    catchError((error: unknown) => {
      throw error instanceof CancelledError ? disposed(target, error) : error
    }),
  )
}

function toFetchSpec<T>(
  context: Dependencies,
  request: PreparedRequest<T>,
  cacheTime: number,
  options: ChainRestRequestOptions,
  timeout: number,
): FetchSpec<T> {
  const { settings, send, platform } = context
  const { random = Math.random } = platform
  const retries = request.once === true ? 0 : settings.retries
  const httpCache = toHttpCacheMode(context, request, cacheTime, options)
  const deadline = Date.now() + timeout
  return {
    key: request.key,
    cacheTime,
    deadline,
    fetch: (signal) => send(request, signal, httpCache, deadline),
    isRetryable: (failures, error, deadline) => isRetryable(error, failures, { retries, deadline }),
    retryDelay: (failures, error) => retryDelay(error, failures, settings.retryDelay, random),
  }
}

/** Where the own cache must not be used, HTTP caches must not be used either. */
function toHttpCacheMode<T>(
  context: Dependencies,
  request: PreparedRequest<T>,
  cacheTime: number,
  options: ChainRestRequestOptions,
): HttpCacheMode {
  if (request.cache.live === true || cacheTime === 0) return 'no-store'
  const { store, isCleared } = context
  const hasOwnStaleTime = staleTimeOf(context, options) !== undefined
  const isUnsettled = store.peek(request.key)?.kept.isUnsettled === true
  const isOld = options.forceRefresh === true || isCleared(request.key)
  return isOld || isUnsettled || hasOwnStaleTime ? 'reload' : 'default'
}

const toTarget = <T>({ shownUrl }: RestSettings, { method, path }: PreparedRequest<T>) => ({
  method,
  url: shownUrl + path,
})
