import type { HeartbeatPolicy } from './policy.js'

/** The heartbeat of one connection after the other: its patience grows with those it has found dead. */
export interface Beat extends HeartbeatPolicy {
  /** Hears that a ping was answered, after so many ms. */
  readonly answered: (after: number) => void
  /** Hears that one was not, and that the connection has been given up for it. */
  readonly missed: () => void
}

/** The longest that a ping is waited for, in ms, unless the policy itself is more patient: no answer takes longer by default. */
const LONGEST = 60_000

/**
 * Twice the patience after each connection that was given up, until a ping is answered in time. A node answers one request
 * after the other: a large answer on a slow line keeps pings waiting, and to hang up on it would have it begin anew, for ever.
 */
export function createBeat({ interval, timeout }: HeartbeatPolicy): Beat {
  let misses = 0
  return {
    interval,
    get timeout() {
      return Math.min(timeout * 2 ** misses, Math.max(timeout, LONGEST))
    },
    answered: (after) => {
      if (after <= timeout) misses = 0
    },
    missed: () => {
      misses++
    },
  }
}
