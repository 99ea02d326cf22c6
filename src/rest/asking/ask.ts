import { CancelledError } from '@tanstack/query-core'
import { catchError, defer, firstValueFrom, switchMap, type Observable } from 'rxjs'
import type { ChainRestRequestOptions, RestSettings } from '../options.js'
import type { RestPlatform } from '../platform.js'
import type { Wanted } from './flight.js'
import { judge, type Kept } from './freshness.js'
import type { Inquiry } from './inquiry.js'
import { aborted, disposed, within } from './patience.js'
import { isWorthRetry, retryDelay } from './retry.js'
import type { Send } from './send.js'
import type { Store } from './store.js'

/** Answers an inquiry from the cache, else from the server. Rejects with `ChainRestError`. */
export type Inquire = <T>(inquiry: Inquiry<T>, options?: ChainRestRequestOptions) => Promise<T>

/** How an inquiry is answered: what its parts are given to. */
interface Means {
  readonly settings: RestSettings
  readonly store: Store
  readonly send: Send
  readonly platform: RestPlatform
}

export function createInquire(settings: RestSettings, store: Store, send: Send, platform: RestPlatform): Inquire {
  const means = { settings, store, send, platform }

  return async (inquiry, options = {}) => {
    const { signal, cache, forceRefresh } = options
    if (signal?.aborted === true) throw aborted(toAsked(settings, inquiry), signal.reason)
    const kept = cache === false || inquiry.keep.kept === 0 ? 0 : (settings.cacheTime ?? inquiry.keep.kept)
    const answer = kept === 0 || forceRefresh === true ? undefined : lookUp(means, inquiry, kept, options)
    if (answer !== undefined) return answer.value
    // what is not kept is not shared either: each call is its own
    const key = kept === 0 ? store.ownKey(inquiry.key) : inquiry.key
    return (await firstValueFrom(fetch$(means, { ...inquiry, key }, kept, options))).value
  }
}

/** The kept answer, where it will do. An old one that may still be given is fetched anew behind it. */
function lookUp<T>(
  means: Means,
  inquiry: Inquiry<T>,
  kept: number,
  options: ChainRestRequestOptions,
): Kept<T> | undefined {
  const entry = means.store.get<T>(inquiry.key, kept)
  if (entry === undefined) return undefined
  const staleTime = options.staleTime ?? means.settings.staleTime
  const verdict = judge(entry.kept, Date.now() - entry.at, staleTime, options.staleWhileRevalidate)
  if (verdict === 'old') return undefined
  // whoever asks once it is too old hears of a failure; this caller has an answer, and may go
  if (verdict === 'stale') {
    fetch$(means, inquiry, kept, { ...options, signal: undefined }).subscribe({ error: () => undefined })
  }
  return entry.kept
}

/** A forced read never settles for what was asked for before it, nor does one that follows a clearing of the cache. */
function fetch$<T>(
  means: Means,
  inquiry: Inquiry<T>,
  kept: number,
  options: ChainRestRequestOptions,
): Observable<Kept<T>> {
  const { settings, store, platform } = means
  const asked = toAsked(settings, inquiry)
  const timeout = options.timeout ?? settings.timeout ?? (inquiry.slow === true ? 90_000 : 30_000)
  const answer$ = store.fetch$(toWanted(means, inquiry, kept, options, timeout))
  const mustBeNew = options.forceRefresh === true || store.isOutdated(inquiry.key)
  return (mustBeNew ? defer(() => store.landed(inquiry.key)).pipe(switchMap(() => answer$)) : answer$).pipe(
    within(asked, { timeout, signal: options.signal }, platform.scheduler),
    catchError((error: unknown) => {
      throw error instanceof CancelledError ? disposed(asked, error) : error
    }),
  )
}

function toWanted<T>(
  { settings, store, send, platform: { random = Math.random } }: Means,
  inquiry: Inquiry<T>,
  kept: number,
  options: ChainRestRequestOptions,
  timeout: number,
): Wanted<T> {
  const policy = { ...settings, retries: inquiry.once === true ? 0 : settings.retries, until: Date.now() + timeout }
  const isOwnJudge = (options.staleTime ?? settings.staleTime) !== undefined
  const isUnsettled = store.peek(inquiry.key)?.kept.isUnsettled === true
  // an HTTP cache on the way must not answer where our own may not
  const pastCaches = options.forceRefresh === true || inquiry.keep.live === true || isUnsettled || isOwnJudge
  return {
    key: inquiry.key,
    kept,
    fetch: (signal) => send(inquiry, signal, pastCaches),
    isWorthRetry: (failures, error) => isWorthRetry(error, failures, policy),
    retryDelay: (failures, error) => retryDelay(error, failures, policy, random),
  }
}

const toAsked = <T>({ baseUrl }: RestSettings, { method, path }: Inquiry<T>) => ({ method, url: baseUrl + path })
