/** Retries of a failed or dropped connection. Times in ms. */
export interface ReconnectOptions {
  /** Retries after the first dial, and after each dropped connection. `Infinity` is allowed. @default 10 */
  readonly maxRetries?: number | undefined
  /** The delay before the first retry. @default 1000 */
  readonly baseDelay?: number | undefined
  /** The maximum delay. @default 30000 */
  readonly maxDelay?: number | undefined
  /** The factor from each delay to the next. @default 2 */
  readonly factor?: number | undefined
  /** The random share of each delay, 0 to 1, so that clients do not reconnect simultaneously. @default 0.5 */
  readonly jitter?: number | undefined
}

/** Detection of a dead connection. Times in ms. */
export interface HeartbeatOptions {
  /** Idle time before a ping. @default 15000 */
  readonly interval?: number | undefined
  /**
   * Time for the response, then the connection is dropped. Doubles after each such drop, up to 60 s, until a response
   * arrives in time. @default 10000
   */
  readonly timeout?: number | undefined
}

export type RetryPolicy = Readonly<Required<{ [Key in keyof ReconnectOptions]: number }>>
export type HeartbeatPolicy = Readonly<Required<{ [Key in keyof HeartbeatOptions]: number }>>

export const DEFAULT_RETRIES: RetryPolicy = {
  maxRetries: 10,
  baseDelay: 1_000,
  maxDelay: 30_000,
  factor: 2,
  jitter: 0.5,
}

/** `reconnect: false`. */
export const NO_RETRIES: RetryPolicy = { ...DEFAULT_RETRIES, maxRetries: 0 }

export const DEFAULT_HEARTBEAT: HeartbeatPolicy = { interval: 15_000, timeout: 10_000 }

/** The maximum delay, ms, before the first retry after an established connection was dropped. */
const FIRST_RETRY_SPREAD = 250

/** The delay in ms before retry `attempt` (1, 2, …); `random` in [0, 1) spreads clients. */
export function backoff(attempt: number, policy: RetryPolicy, random: number): number {
  const delay = Math.min(policy.maxDelay, policy.baseDelay * policy.factor ** (attempt - 1))
  return Math.round(delay * (1 - policy.jitter * random))
}

/** The delay in ms before the first retry after a drop: short, but spread over the clients. */
export const firstRetryDelay = (random: number): number => Math.floor(FIRST_RETRY_SPREAD * random)

/** The heartbeat policy across connections: its timeout grows with each connection that it dropped. */
export interface AdaptiveHeartbeat extends HeartbeatPolicy {
  /** A ping got its response after `elapsed` ms. */
  readonly onPong: (elapsed: number) => void
  /** A ping timed out and the connection was dropped. */
  readonly onTimeout: () => void
}

/** The maximum timeout in ms, unless the policy's is longer; the default timeout of calls. */
const MAX_TIMEOUT = 60_000

/**
 * Doubles the timeout after each dropped connection until a ping succeeds in time. A node sends responses in sequence:
 * a large response on a slow line delays pings, and dropping the connection would restart it forever.
 */
export function createAdaptiveHeartbeat({ interval, timeout }: HeartbeatPolicy): AdaptiveHeartbeat {
  let timeouts = 0
  return {
    interval,
    get timeout() {
      return Math.min(timeout * 2 ** timeouts, Math.max(timeout, MAX_TIMEOUT))
    },
    onPong: (elapsed) => {
      if (elapsed <= timeout) timeouts = 0
    },
    onTimeout: () => {
      timeouts++
    },
  }
}
