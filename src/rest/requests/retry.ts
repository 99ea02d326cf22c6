import { CutShort } from '../decoding/cut-short.js'
import { ChainRestError } from '../../errors/rest-error.js'

export interface RetryPolicy {
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
export function isTransient({ status, body }: ChainRestError): boolean {
  if (status === 503) return typeof (body as { detail?: unknown } | null)?.detail !== 'string'
  return status === 429 || status === 408 || (status !== undefined && status >= 500)
}

/** Delay before the next attempt, in ms: `Retry-After`, else exponential backoff from `first` ms with jitter. */
export function retryDelay(error: unknown, failures: number, first: number, random: () => number): number {
  const backoff = first * 2 ** failures
  return (error instanceof ChainRestError ? error.retryAfter : undefined) ?? backoff * (1 - random() / 2)
}
