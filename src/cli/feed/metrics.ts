import { FEED_CAUSES } from '../../feed/health/causes.js'
import type { FeedRole } from '../../feed/health/reduce-health.js'
import type { FeedPhase, FeedStatus } from '../../feed/status.js'
import type { FeedReport } from './feed-report.js'

const PHASES: readonly FeedPhase[] = ['stopped', 'connecting', 'stand-by', 'running']

const CHAINS: readonly FeedStatus['chain'][] = ['following', 'behind', 'malformed']

const ROLES: readonly FeedRole[] = ['active', 'standby', 'none']

/** Status and health in the text format of Prometheus (version 0.0.4). What is unknown is left out. */
export function toFeedMetrics({ status, health }: FeedReport): string {
  const gauge = (name: string, help: string, value: bigint | number | null): readonly string[] =>
    value === null ? [] : family(name, 'gauge', help, [`vue_chain_feed_${name} ${value}`])
  const counter = (name: string, help: string, value: number): readonly string[] =>
    family(name, 'counter', help, [`vue_chain_feed_${name} ${value}`])
  const phases = PHASES.map((phase) => `vue_chain_feed_phase{phase="${phase}"} ${Number(status.phase === phase)}`)
  const chains = CHAINS.map((chain) => `vue_chain_feed_chain{state="${chain}"} ${Number(status.chain === chain)}`)
  const roles = ROLES.map((role) => `vue_chain_feed_role{role="${role}"} ${Number(health.role === role)}`)
  const causes = FEED_CAUSES.map(
    (cause) => `vue_chain_feed_cause{cause="${cause}"} ${Number(health.causes.includes(cause))}`,
  )
  const isDelivering = health.isReady && health.role === 'active'
  const lines = [
    ...gauge('ready', 'Whether the feed delivers or stands by, as /readyz.', Number(health.isReady)),
    ...gauge('delivering', 'Whether it is the instance that delivers, and does.', Number(isDelivering)),
    ...family('role', 'gauge', 'Whether it is the instance that delivers.', roles),
    ...family('cause', 'gauge', 'Why nothing is delivered.', causes),
    ...family('phase', 'gauge', 'What the feed does.', phases),
    ...gauge('blue_score', 'Blue score of the stored position.', status.blueScore),
    ...gauge('lag_blocks', 'Blocks that are deep enough and not stored yet.', status.lagBlocks),
    ...gauge('lag_seconds', 'Since when the oldest of them has been deep enough.', status.lagSeconds),
    ...gauge('watched_addresses', 'Watched addresses.', status.watched),
    ...counter('batches_total', 'Stored batches.', status.batches),
    ...counter('transfers_total', 'Stored transfers.', status.transfers),
    ...counter('rollbacks_total', 'Rollbacks after a reorg.', status.rollbacks),
    ...family('chain', 'gauge', 'Whether the chain is followed, or why not.', chains),
    ...counter('malformed_total', 'Responses of nodes that cannot be.', status.malformed),
    ...counter('rewound_total', 'Positions that were no block of the chain.', status.rewound),
    ...counter(
      'heartbeats_total',
      'Renewals of the lease that began, and looks at that of another instance.',
      status.heartbeats,
    ),
    ...counter('reconnects_total', 'Connections to the sink that were dropped.', status.reconnects),
  ]
  return `${lines.join('\n')}\n`
}

const family = (name: string, type: string, help: string, samples: readonly string[]): readonly string[] => [
  `# HELP vue_chain_feed_${name} ${help}`,
  `# TYPE vue_chain_feed_${name} ${type}`,
  ...samples,
]
