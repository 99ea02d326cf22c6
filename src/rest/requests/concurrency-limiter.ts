import { abortable } from '../../loading/abortable.js'

/** Runs at most `limit` at a time and queues the others. */
export type ConcurrencyLimiter = <T>(limit: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

interface QueuedRequest {
  readonly limit: number
  readonly start: () => void
}

/**
 * One limiter for all clients of a server. A queued request that is aborted rejects when it is dequeued; a running one
 * rejects at once, because a custom `fetcher` may ignore the signal.
 */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const queue: QueuedRequest[] = []
  let running = 0

  /** Passes the slot to the first queued request whose limit allows it. */
  function release(): void {
    const next = queue.findIndex(({ limit }) => running <= limit)
    if (next < 0) running--
    else queue.splice(next, 1)[0]?.start()
  }

  return async (limit, signal, work) => {
    if (running < limit) running++
    else await new Promise<void>((start) => queue.push({ limit, start }))
    try {
      return await abortable(signal, work)
    } finally {
      release()
    }
  }
}
