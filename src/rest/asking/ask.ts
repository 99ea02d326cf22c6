import { CancelledError } from '@tanstack/query-core'
import { catchError, defer, firstValueFrom, switchMap, type Observable } from 'rxjs'
import type { ChainRestRequestOptions, RestSettings } from '../options.js'
import type { RestPlatform } from '../platform.js'
import type { Wanted } from './flight.js'
import { judge, type Kept } from './freshness.js'
import type { Asked, Inquiry } from './inquiry.js'
import { aborted, disposed, within } from './patience.js'
import { isWorthRetry, retryDelay } from './retry.js'
import type { Send } from './send.js'
import type { Store } from './store.js'

/** Answers an inquiry from the cache, else from the server. Rejects with `ChainRestError`. */
export type Inquire = <T>(inquiry: Inquiry<T>, options?: ChainRestRequestOptions) => Promise<T>

/** One call, with all that is decided about it. */
interface Call<T> {
  readonly asked: Asked
  readonly wanted: Wanted<T>
  readonly wish: ChainRestRequestOptions & { readonly timeout: number }
}

export function createInquire(settings: RestSettings, store: Store, send: Send, platform: RestPlatform): Inquire {
  let calls = 0
  return async (inquiry, options = {}) => {
    const call = toCall(settings, send, platform, inquiry, options, ++calls)
    if (options.signal?.aborted === true) throw aborted(call.asked, options.signal.reason)
    const answer = lookUp(store, call, platform) ?? (await firstValueFrom(fetch$(store, call, platform)))
    return answer.value
  }
}

/** The kept answer, where it will do. An old one that may still be given is fetched anew behind it. */
function lookUp<T>(store: Store, call: Call<T>, platform: RestPlatform): Kept<T> | undefined {
  const { wanted, wish } = call
  const entry = wish.forceRefresh === true ? undefined : store.get<T>(wanted.key, wanted.kept)
  if (entry === undefined) return undefined
  const verdict = judge(entry.kept, Date.now() - entry.at, wish)
  if (verdict === 'old') return undefined
  // whoever asks once it is too old hears of a failure; this caller has an answer
  if (verdict === 'stale') fetch$(store, call, platform).subscribe({ error: () => undefined })
  return entry.kept
}

/** A forced read never settles for what was asked for before it, nor does one that follows a clearing of the cache. */
function fetch$<T>(store: Store, { wanted, wish, asked }: Call<T>, { scheduler }: RestPlatform): Observable<Kept<T>> {
  const mustBeNew = wish.forceRefresh === true || store.isOutdated(wanted.key)
  const answer$ = mustBeNew
    ? defer(() => store.landed(wanted.key)).pipe(switchMap(() => store.fetch$(wanted)))
    : store.fetch$(wanted)
  return answer$.pipe(
    within(asked, wish, scheduler),
    catchError((error: unknown) => {
      throw error instanceof CancelledError ? disposed(asked, error) : error
    }),
  )
}

function toCall<T>(
  settings: RestSettings,
  send: Send,
  { random = Math.random }: RestPlatform,
  inquiry: Inquiry<T>,
  options: ChainRestRequestOptions,
  serial: number,
): Call<T> {
  const { method, path, keep, slow, once } = inquiry
  const timeout = options.timeout ?? settings.timeout ?? (slow === true ? 90_000 : 30_000)
  const wish = { ...options, timeout, staleTime: options.staleTime ?? settings.staleTime }
  const policy = { ...settings, retries: once === true ? 0 : settings.retries, timeout }
  // an HTTP cache on the way must not answer where our own may not
  const pastCaches = options.forceRefresh === true || keep.live === true || wish.staleTime !== undefined
  const kept = options.cache === false || keep.kept === 0 ? 0 : (settings.cacheTime ?? keep.kept)
  return {
    asked: { method, url: settings.baseUrl + path },
    wish,
    wanted: {
      key: kept === 0 ? `${toKey(inquiry)} ${serial}` : toKey(inquiry),
      kept,
      fetch: (signal) => send(inquiry, signal, pastCaches),
      isWorthRetry: (failures, error) => isWorthRetry(error, failures, policy),
      retryDelay: (failures, error) => retryDelay(error, failures, policy, random),
    },
  }
}

/** Equal inquiries share an answer, unless it is not to be kept: then each call is its own. */
function toKey<T>({ method, path, body = '', key }: Inquiry<T>): string {
  return key ?? `${method} ${path} ${body}`
}
