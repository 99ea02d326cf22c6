import type { FeedPhase, FeedStatus } from './status.js'

const PHASES: readonly FeedPhase[] = ['stopped', 'connecting', 'stand-by', 'running']

const CHAINS: readonly FeedStatus['chain'][] = ['following', 'behind', 'malformed']

/**
 * The status of a feed in the text format of Prometheus (version 0.0.4), as `/metrics` of `vue-chain feed` has it. What
 * is unknown is left out. `prefix`: `vue_chain_contracts` where a contract feed runs beside a feed of transfers.
 */
export function feedToPrometheus(status: FeedStatus, prefix = 'vue_chain_feed'): string {
  const metric = (name: string, type: string, help: string, value: bigint | number | null): readonly string[] =>
    value === null ? [] : toFamily(`${prefix}_${name}`, type, help, { '': value })
  const states = (name: string, help: string, label: string, all: readonly string[], now: string): readonly string[] =>
    toFamily(
      `${prefix}_${name}`,
      'gauge',
      help,
      Object.fromEntries(all.map((one) => [`{${label}="${one}"}`, Number(one === now)])),
    )
  const lines = [
    ...states('phase', 'What the feed does.', 'phase', PHASES, status.phase),
    ...metric('blue_score', 'gauge', 'Blue score of the stored position.', status.blueScore),
    ...metric('lag_blocks', 'gauge', 'Blocks that are deep enough and not stored yet.', status.lagBlocks),
    ...metric('lag_seconds', 'gauge', 'Since when the oldest of them has been deep enough.', status.lagSeconds),
    ...metric('watched_addresses', 'gauge', 'Watched addresses.', status.watched),
    ...metric('batches_total', 'counter', 'Stored batches.', status.batches),
    ...metric('transfers_total', 'counter', 'Stored transfers.', status.transfers),
    ...metric('rollbacks_total', 'counter', 'Rollbacks after a reorg.', status.rollbacks),
    ...states('chain', 'Whether the chain is followed, or why not.', 'state', CHAINS, status.chain),
    ...metric('malformed_total', 'counter', 'Responses of nodes that cannot be.', status.malformed),
    ...metric('rewound_total', 'counter', 'Positions that were no block of the chain.', status.rewound),
    ...metric(
      'heartbeats_total',
      'counter',
      'Renewals of the lease that began, and looks at that of another instance.',
      status.heartbeats,
    ),
    ...metric('reconnects_total', 'counter', 'Connections to the sink that were dropped.', status.reconnects),
  ]
  return `${lines.join('\n')}\n`
}

/** The lines of a metric: its samples by their labels. */
export const toFamily = (
  name: string,
  type: string,
  help: string,
  samples: Readonly<Record<string, bigint | number>>,
): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...Object.entries(samples).map(([labels, value]) => `${name}${labels} ${value}`),
]
