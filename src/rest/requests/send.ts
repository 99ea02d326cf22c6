import { causeDetails } from '../../errors/shown.js'
import { ChainRestError } from '../../errors/rest-error.js'
import type { RestSettings, RestPlatform, RestReport } from '../options.js'
import { toCachedValue, type CachedValue } from './freshness.js'
import type { DecodedResponse, RequestTarget, PreparedRequest } from './prepared-request.js'
import type { Store } from './store.js'
import { map, merge, take, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { abort$, LONGEST_TIMER } from '../../loading/abortable.js'
import { CutShort } from '../decoding/json.js'

/** How HTTP caches are used: `reload` skips them and replaces their response, `no-store` only skips them. */
export type HttpCacheMode = 'default' | 'no-store' | 'reload'

/** Sends one request, which must begin before `deadline` (Unix milliseconds). Rejects with `ChainRestError`. */
export type Send = <T>(
  prepared: PreparedRequest<T>,
  signal: AbortSignal,
  httpCache: HttpCacheMode,
  deadline: number,
) => Promise<CachedValue<T>>

/** All clients of the server share the limiter and the pause. */
export function createSend(
  settings: RestSettings,
  fetcher: typeof fetch,
  { limiter, pause }: Pick<Store, 'limiter' | 'pause'>,
  onRest: RestPlatform['onRest'],
): Send {
  return async (prepared, signal, httpCache, deadline) => {
    const init: RequestInit = {
      method: prepared.method,
      headers: toHeaders(settings, prepared),
      body: prepared.body ?? null,
      signal,
      // neither a body nor headers, which may hold an API key, may follow a redirect to another origin
      redirect: prepared.method === 'GET' && settings.headers === undefined ? 'follow' : 'error',
      cache: httpCache,
    }
    const queued = prepared.once === true ? Infinity : settings.concurrency
    const response = await limiter(queued, signal, async () => {
      await pause.wait({ method: prepared.method, url: settings.shownUrl + prepared.path }, deadline, signal)
      prepared.onSend?.()
      return reportOutcome(prepared, onRest, () => fetchAndDecode(settings, prepared, fetcher, init)).catch(
        (error: unknown) => {
          if (error instanceof ChainRestError && isTransient(error)) pause.extend(error)
          throw error
        },
      )
    })
    return toCachedValue(response, prepared.cache, prepared.isSettled(response.value))
  }
}

/** Reports how a request ended. */
async function reportOutcome<T>(
  { method, path }: PreparedRequest<T>,
  onRest: RestPlatform['onRest'],
  send: () => Promise<DecodedResponse<T>>,
): Promise<DecodedResponse<T>> {
  if (onRest === undefined) return send()
  const startedAt = performance.now()
  const report = (outcome: RestReport['outcome'], status: number | null): void =>
    onRest({ method, path, status, ms: performance.now() - startedAt, source: 'server', outcome })
  try {
    const response = await send()
    report('ok', response.status)
    return response
  } catch (error) {
    if (error instanceof ChainRestError) report(error.code, error.status ?? null)
    else report('failed', null)
    throw error
  }
}

async function fetchAndDecode<T>(
  { baseUrl, shownUrl, maxResponseSize }: RestSettings,
  prepared: PreparedRequest<T>,
  fetcher: typeof fetch,
  init: RequestInit,
): Promise<DecodedResponse<T>> {
  const target: RequestTarget = { method: prepared.method, url: shownUrl + prepared.path, baseUrl }
  try {
    return await prepared.read(target, await fetcher(baseUrl + prepared.path, init), maxResponseSize)
  } catch (cause) {
    if (cause instanceof ChainRestError) throw cause
    throw new ChainRestError({
      ...target,
      code: 'network',
      cause,
      reason: causeDetails(cause) || undefined,
      hint: init.redirect === 'error' ? NO_REDIRECT : HINT,
    })
  }
}

/** The server sends internal errors without CORS headers, so browsers report no status. */
const HINT = 'Check baseUrl and the network. In a browser, an internal server error looks the same.'
const NO_REDIRECT = `${HINT} A redirect fails too: it is not followed for a POST request or with the option headers.`

function toHeaders<T>({ headers }: RestSettings, { body }: PreparedRequest<T>): Headers {
  const all = new Headers(headers)
  if (body !== undefined) all.set('content-type', 'application/json')
  return all
}

interface CallLimits {
  /** Ms, including retries and queueing. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Takes the first value; errors and unsubscribes after `timeout` ms or when the signal aborts. */
export function withDeadline<T>(
  target: RequestTarget,
  { timeout, signal }: CallLimits,
  scheduler?: SchedulerLike,
): MonoTypeOperatorFunction<T> {
  const timedOut$ = timer(Math.min(timeout, LONGEST_TIMER), scheduler).pipe(map(() => raise(timedOut(target, timeout))))
  const aborted$ = abort$(signal).pipe(map((reason) => raise(aborted(target, reason))))
  return (source$) => merge(source$, timedOut$, aborted$).pipe(take(1))
}

const timedOut = (target: RequestTarget, timeout: number): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'timeout',
    reason: `${timeout} ms have passed`,
    hint: 'Try again, or raise the option `timeout`: some responses take the server a minute.',
  })

/** The caller's signal aborted; `cause` is its reason. */
export const aborted = (target: RequestTarget, cause: unknown): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'aborted',
    cause,
    reason: 'its signal was aborted',
    hint: 'The signal of the call was aborted.',
  })

export const disposed = (target: RequestTarget, cause: unknown): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'aborted',
    cause,
    reason: 'the client was disposed',
    hint: 'The client was disposed: create a new one.',
  })

function raise(error: ChainRestError): never {
  throw error
}

interface RetryPolicy {
  readonly retries: number
  /** When the last call that shares the request ends, retries included: Unix milliseconds. */
  readonly deadline: number
}

/**
 * Whether to retry: the server is busy, failing or unreachable, or its response was cut short. Not for a disabled
 * endpoint (503 with a textual `detail`), and not if `Retry-After` exceeds the deadline: the server's error explains
 * more than a timeout.
 */
export function isRetryable(error: unknown, failures: number, { retries, deadline }: RetryPolicy): boolean {
  if (!(error instanceof ChainRestError) || failures >= retries) return false
  if (error.retryAfter !== undefined && Date.now() + error.retryAfter >= deadline) return false
  if (error.code === 'http') return isTransient(error)
  return error.code === 'network' || error.cause instanceof CutShort
}

/** Whether the server is busy or failing, and may not be later. */
function isTransient({ status, body }: ChainRestError): boolean {
  if (status === 503) return typeof (body as { detail?: unknown } | null)?.detail !== 'string'
  return status === 429 || status === 408 || (status !== undefined && status >= 500)
}

/** Delay before the next attempt, in ms: `Retry-After`, else exponential backoff from `first` ms with jitter. */
export function retryDelay(error: unknown, failures: number, first: number, random: () => number): number {
  const backoff = first * 2 ** failures
  return (error instanceof ChainRestError ? error.retryAfter : undefined) ?? backoff * (1 - random() / 2)
}
