import { CAUSES, FEED_CAUSES, type FeedCause, type Observation } from './causes.js'

/**
 * - `active`: delivers, or did until its sink was lost less than 30 s ago. `standby`: another instance has the lease.
 *   `none`: neither is known.
 */
export type FeedRole = 'active' | 'standby' | 'none'

/** Whether a feed delivers, and whether a restart would help. */
export interface FeedHealth {
  readonly role: FeedRole
  /** False where a restart helps. */
  readonly isAlive: boolean
  /** Whether it delivers, or stands by. */
  readonly isReady: boolean
  /** Those that have lasted their time. */
  readonly causes: readonly FeedCause[]
}

/** A health, with since when each cause lasts, in ms of the clock. */
export interface HealthState {
  readonly health: FeedHealth
  readonly since: ReadonlyMap<FeedCause, number>
  readonly last: Observation
}

/** Causes after which the process cannot deliver again by itself. */
const DEADLY: ReadonlySet<FeedCause> = /*#__PURE__*/ new Set<FeedCause>(['stopped', 'no-heartbeat'])

/** The next health, from none at the first observation; its `health` is the same object where nothing has changed. */
export function reduceHealth(state: HealthState | undefined, now: Observation): HealthState {
  const lasting = FEED_CAUSES.filter((cause) => CAUSES[cause].applies(now))
  const since = new Map(lasting.map((cause) => [cause, sinceOf(cause, state, now)]))
  const causes = lasting.filter((cause) => now.at - (since.get(cause) ?? now.at) >= CAUSES[cause].lasts(now))
  const role = roleOf(state?.health.role ?? 'none', causes, now)
  const next: FeedHealth = {
    role,
    isAlive: !causes.some((cause) => DEADLY.has(cause)),
    isReady: role !== 'none' && causes.length === 0,
    causes,
  }
  const before = state?.health
  return { health: before !== undefined && isSame(before, next) ? before : next, since, last: now }
}

const sinceOf = (cause: FeedCause, state: HealthState | undefined, now: Observation): number =>
  state === undefined || CAUSES[cause].hasAdvanced(now, state.last) ? now.at : (state.since.get(cause) ?? now.at)

/** While the sink is connected again, the role is the one before, until that takes too long. */
function roleOf(before: FeedRole, causes: readonly FeedCause[], { status }: Observation): FeedRole {
  switch (status.phase) {
    case 'running':
      return 'active'
    case 'stand-by':
      return 'standby'
    case 'connecting':
      return causes.includes('no-lease') ? 'none' : before
    case 'stopped':
      return 'none'
  }
}

const isSame = (one: FeedHealth, other: FeedHealth): boolean =>
  one.role === other.role && one.isReady === other.isReady && one.causes.join() === other.causes.join()
