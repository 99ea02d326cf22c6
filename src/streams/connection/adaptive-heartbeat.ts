import type { HeartbeatPolicy } from './policy.js'

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
