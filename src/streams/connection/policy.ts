/** When and how often a lost or failed connection is tried again. Times in ms. */
export interface ReconnectOptions {
  /** Retries after the first dial, and after each loss. `Infinity` is allowed. @default 10 */
  readonly maxRetries?: number | undefined
  /** The wait before the first retry. @default 1000 */
  readonly baseDelay?: number | undefined
  /** No wait is longer. @default 30000 */
  readonly maxDelay?: number | undefined
  /** Each wait is so many times the one before. @default 2 */
  readonly factor?: number | undefined
  /** The random share of each wait, 0 to 1, so that a thousand clients do not return at the same instant. @default 0.5 */
  readonly jitter?: number | undefined
}

/** How a connection that has gone silent is found out. Times in ms. */
export interface HeartbeatOptions {
  /** Silence for so long sends a ping. @default 15000 */
  readonly interval?: number | undefined
  /**
   * No answer for so long after it is a drop; twice as long after each such drop, up to 60 s, until one is answered in time.
   * @default 10000
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

/** `reconnect: false`: the first failure is the last. */
export const NO_RETRIES: RetryPolicy = { ...DEFAULT_RETRIES, maxRetries: 0 }

export const DEFAULT_HEARTBEAT: HeartbeatPolicy = { interval: 15_000, timeout: 10_000 }

/** The longest wait, in ms, before the first retry after an established connection was lost. */
const FIRST_RETRY_SPREAD = 250

/** The wait in ms before retry `attempt` (1, 2, …); `random` in [0, 1) spreads clients apart. */
export function backoff(attempt: number, policy: RetryPolicy, random: number): number {
  const delay = Math.min(policy.maxDelay, policy.baseDelay * policy.factor ** (attempt - 1))
  return Math.round(delay * (1 - policy.jitter * random))
}

/** The wait in ms before the first retry after a loss: at once, but not all clients in the same instant. */
export const firstRetryDelay = (random: number): number => Math.floor(FIRST_RETRY_SPREAD * random)
