import type { FeedPhase, FeedStatus } from '../../feed/status.js'

const PHASES: readonly FeedPhase[] = ['stopped', 'stand-by', 'running']

const CHAINS: readonly FeedStatus['chain'][] = ['following', 'behind', 'malformed']

/** The status in the text format of Prometheus (version 0.0.4). What is unknown is left out. */
export function toFeedMetrics(status: FeedStatus): string {
  const gauge = (name: string, help: string, value: bigint | number | null): readonly string[] =>
    value === null ? [] : family(name, 'gauge', help, [`vue_chain_feed_${name} ${value}`])
  const counter = (name: string, help: string, value: number): readonly string[] =>
    family(name, 'counter', help, [`vue_chain_feed_${name} ${value}`])
  const phases = PHASES.map((phase) => `vue_chain_feed_phase{phase="${phase}"} ${Number(status.phase === phase)}`)
  const chains = CHAINS.map((chain) => `vue_chain_feed_chain{state="${chain}"} ${Number(status.chain === chain)}`)
  const lines = [
    ...family('phase', 'gauge', 'Whether the feed stands by, delivers or is stopped.', phases),
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
    ...counter('reconnects_total', 'Connections to the sink that were dropped.', status.reconnects),
  ]
  return `${lines.join('\n')}\n`
}

const family = (name: string, type: string, help: string, samples: readonly string[]): readonly string[] => [
  `# HELP vue_chain_feed_${name} ${help}`,
  `# TYPE vue_chain_feed_${name} ${type}`,
  ...samples,
]
