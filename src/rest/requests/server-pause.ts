import { ChainRestError } from '../../errors/rest-error.js'
import { sleep } from '../../loading/abortable.js'
import type { RequestTarget } from './prepared-request.js'

/** The pause that a server requires by `Retry-After`: all requests of its clients wait for its end. */
export interface ServerPause {
  /** Begins or extends the pause, if the error has `retryAfter`. */
  readonly extend: (error: ChainRestError) => void
  /**
   * Resolves at the end of the pause; at once without one. Rejects at once with the server's status if the pause lasts
   * beyond `deadline`, Unix milliseconds.
   */
  readonly wait: (target: RequestTarget, deadline: number, signal: AbortSignal) => Promise<void>
}

/**
 * A longer pause ends after this many ms: a server that recovers earlier is not shut out for a day. One that seems to
 * last longer is over, because the clock was set back.
 */
const LONGEST = 300_000

export function createServerPause(): ServerPause {
  let end = 0
  let status: number | undefined
  return {
    extend(error) {
      if (error.retryAfter === undefined) return
      const until = Date.now() + Math.min(error.retryAfter, LONGEST)
      if (until > end) [end, status] = [until, error.status]
    },
    async wait(target, deadline, signal) {
      for (let left = end - Date.now(); left > 0 && left <= LONGEST; left = end - Date.now()) {
        if (end >= deadline) throw paused(target, status, left)
        await sleep(left, signal)
        signal.throwIfAborted()
      }
    },
  }
}

const paused = (target: RequestTarget, status: number | undefined, retryAfter: number): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'http',
    status,
    retryAfter,
    reason: 'the server requires a pause, and the request was not sent',
    hint: 'Send fewer requests, or run your own indexer; `retryAfter` is the time to wait in ms.',
  })
