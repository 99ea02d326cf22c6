import type { FeedStatus } from './status.js'
import {
  combineLatest,
  distinctUntilChanged,
  interval,
  map,
  scan,
  startWith,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import type { FeedEngine } from './options.js'

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
interface HealthState {
  readonly health: FeedHealth
  readonly since: ReadonlyMap<FeedCause, number>
  readonly last: Observation
}

/** Causes after which the process cannot deliver again by itself. */
const DEADLY: ReadonlySet<FeedCause> = /*#__PURE__*/ new Set<FeedCause>(['stopped', 'no-heartbeat'])

/** The next health, from none at the first observation; its `health` is the same object where nothing has changed. */
function reduceHealth(state: HealthState | undefined, now: Observation): HealthState {
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

/**
 * Why a feed that should deliver does not:
 * - `stopped`: `run()` has ended, or was not called. `no-heartbeat`: the lease was not renewed, or looked at, for three
 *   times its duration.
 * - `no-lease`: the sink cannot be reached, or the lease was lost and no other instance was seen to have it.
 * - `no-node`: no connection to a node. `chain-stalled`: the sink of the node does not advance.
 * - `node-behind`, `malformed`: as `chain` of the status.
 * - `position-stalled`: blocks are deep enough, and the stored position does not advance, as with a full disk.
 */
type FeedCause = (typeof FEED_CAUSES)[number]

export const FEED_CAUSES = [
  'stopped',
  'no-heartbeat',
  'no-lease',
  'no-node',
  'chain-stalled',
  'node-behind',
  'malformed',
  'position-stalled',
] as const

/** What is known at a moment of a monotonic clock. */
interface Observation {
  /** Ms. */
  readonly at: number
  readonly status: FeedStatus
  readonly isConnected: boolean
  /** The blue score of the node's sink; null before the first one. */
  readonly sink: bigint | null
  /** How long, in ms, a silent instance keeps the lease; null where there is none. */
  readonly leaseTimeout: number | null
}

interface CauseRule {
  /** How long, in ms, it must last. */
  readonly lasts: (now: Observation) => number
  readonly applies: (now: Observation) => boolean
  /** Whether it begins again now: something has advanced. */
  readonly hasAdvanced: (now: Observation, before: Observation) => boolean
}

const SHORT = 30_000
const LONG = 60_000

/** Heartbeats that may be missing, as a multiple of the lease: each one renews it four times. */
const LEASES = 3

const never = (): boolean => false
const shouldDeliver = ({ status: { phase } }: Observation): boolean => phase === 'running' || phase === 'connecting'

/** Each cause with the rule that finds it. A stand-by has no cause of the chain: another instance delivers. */
const CAUSES: Readonly<Record<FeedCause, CauseRule>> = {
  stopped: { lasts: () => 0, applies: ({ status }) => status.phase === 'stopped', hasAdvanced: never },
  'no-heartbeat': {
    lasts: ({ leaseTimeout }) => LEASES * (leaseTimeout ?? Infinity),
    // a connection has a timeout of its own
    applies: ({ status: { phase } }) => phase === 'running' || phase === 'stand-by',
    hasAdvanced: ({ status }, before) => status.heartbeats !== before.status.heartbeats,
  },
  'no-lease': {
    lasts: () => SHORT,
    applies: ({ status: { phase }, leaseTimeout }) =>
      phase === 'connecting' || (phase === 'running' && leaseTimeout !== null),
    hasAdvanced: ({ status }, before) =>
      status.renewals !== before.status.renewals || (status.phase === 'running' && before.status.phase !== 'running'),
  },
  'no-node': {
    lasts: () => SHORT,
    applies: (now) => shouldDeliver(now) && !now.isConnected,
    hasAdvanced: never,
  },
  'chain-stalled': {
    lasts: () => LONG,
    applies: (now) => shouldDeliver(now) && now.isConnected,
    hasAdvanced: ({ sink }, before) => sink !== before.sink,
  },
  'node-behind': {
    lasts: () => SHORT,
    applies: (now) => shouldDeliver(now) && now.status.chain === 'behind',
    hasAdvanced: never,
  },
  malformed: {
    lasts: () => SHORT,
    applies: (now) => shouldDeliver(now) && now.status.chain === 'malformed',
    hasAdvanced: never,
  },
  'position-stalled': {
    lasts: () => LONG,
    applies: (now) => shouldDeliver(now) && (now.status.blueScore === null || (now.status.lagBlocks ?? 0n) > 0n),
    hasAdvanced: ({ status }, before) => status.blueScore !== before.status.blueScore,
  },
}

export interface FollowHealthOptions {
  readonly status$: Observable<FeedStatus>
  readonly engine: Pick<FeedEngine, 'connection' | 'sinkBlueScore$'>
  /** How long, in ms, a silent instance keeps the lease; null where there is none. */
  readonly leaseTimeout: number | null
}

/** How often it is looked at while nothing changes, in ms. */
const INTERVAL = 1_000

/** The health of a feed: the current one, then changes. A cold observable, which subscribes to the node's sink. */
export function followHealth$(
  { status$, engine, leaseTimeout }: FollowHealthOptions,
  scheduler: SchedulerLike,
): Observable<FeedHealth> {
  return combineLatest({
    status: status$,
    isConnected: engine.connection.state$.pipe(map(({ status }) => status === 'connected')),
    sink: engine.sinkBlueScore$.pipe(startWith(null)),
    tick: interval(INTERVAL, scheduler).pipe(startWith(0)),
  }).pipe(
    map(({ status, isConnected, sink }): Observation => ({
      at: scheduler.now(),
      status,
      isConnected,
      sink,
      leaseTimeout,
    })),
    scan<Observation, HealthState, undefined>((state, now) => reduceHealth(state, now), undefined),
    map(({ health }) => health),
    distinctUntilChanged(),
  )
}
