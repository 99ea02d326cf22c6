import type { FeedStatus } from '../status.js'

/**
 * Why a feed that should deliver does not:
 * - `stopped`: `run()` has ended, or was not called. `no-heartbeat`: the lease was not renewed, or looked at, for three
 *   times its duration.
 * - `no-lease`: the sink cannot be reached, or the lease was lost and no other instance was seen to have it.
 * - `no-node`: no connection to a node. `chain-stalled`: the sink of the node does not advance.
 * - `node-behind`, `malformed`: as `chain` of the status.
 * - `position-stalled`: blocks are deep enough, and the stored position does not advance, as with a full disk.
 */
export type FeedCause = (typeof FEED_CAUSES)[number]

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
export interface Observation {
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
export const CAUSES: Readonly<Record<FeedCause, CauseRule>> = {
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
