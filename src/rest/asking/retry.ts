import { ChainRestError } from '../../errors/rest-error.js'

export interface RetryPolicy {
  readonly retries: number
  /** Before the first retry, in ms; doubled with each. */
  readonly retryDelay: number
  /** When the call ends, retries and all: Unix milliseconds. */
  readonly until: number
}

/**
 * Whether asking again may help: the server is busy, is failing, or could not be reached. Not where it says that it has
 * the endpoint switched off (503 with a `detail` in words), and not where it asks for more patience than is left: its own
 * words say more than a deadline that is sure to pass.
 */
export function isWorthRetry(error: unknown, failures: number, { retries, until }: RetryPolicy): boolean {
  if (!(error instanceof ChainRestError) || failures >= retries) return false
  if (error.retryAfter !== undefined && Date.now() + error.retryAfter >= until) return false
  return error.code === 'network' || (error.code === 'http' && isPassing(error))
}

function isPassing({ status, body }: ChainRestError): boolean {
  if (status === 503) return typeof (body as { detail?: unknown } | null)?.detail !== 'string'
  return status === 429 || status === 408 || (status !== undefined && status >= 500)
}

/** How long to wait before the next try, in ms: what the server asks for, else ever longer, and never quite the same. */
export function retryDelay(error: unknown, failures: number, policy: RetryPolicy, random: () => number): number {
  const backoff = policy.retryDelay * 2 ** failures
  return (error instanceof ChainRestError ? error.retryAfter : undefined) ?? backoff * (1 - random() / 2)
}
