import { flags, toFamily } from '../model/prometheus.js'
import type { FeedPhase, FeedStatus } from './status.js'

const PHASES: readonly FeedPhase[] = ['stopped', 'connecting', 'stand-by', 'running']

const CHAINS: readonly FeedStatus['chain'][] = ['following', 'behind', 'malformed']

/**
 * The status of a feed in the text format of Prometheus (version 0.0.4), as `/metrics` of `vue-chain feed` has it. What
 * is unknown is left out. `prefix`: `vue_chain_contracts` where a contract feed runs beside a feed of transfers.
 */
export function feedToPrometheus(status: FeedStatus, prefix = 'vue_chain_feed'): string {
  const metric = (name: string, type: string, help: string, value: bigint | number | null): readonly string[] =>
    value === null ? [] : [toFamily(`${prefix}_${name}`, type, help, [['', value]])]
  const tokenMetrics = ({ tokens, incompleteTokens }: FeedStatus): readonly string[] => [
    ...metric('tokens', 'gauge', 'Followed tokens.', tokens),
    ...metric('incomplete_tokens', 'gauge', 'Those of which outputs are not known.', incompleteTokens),
  ]
  const phases = flags('phase', PHASES, (phase) => status.phase === phase)
  const chains = flags('state', CHAINS, (chain) => status.chain === chain)
  const families = [
    toFamily(`${prefix}_phase`, 'gauge', 'What the feed does.', phases),
    ...metric('blue_score', 'gauge', 'Blue score of the stored position.', status.blueScore),
    ...metric('lag_blocks', 'gauge', 'Blocks that are deep enough and not stored yet.', status.lagBlocks),
    ...metric('lag_seconds', 'gauge', 'Since when the oldest of them has been deep enough.', status.lagSeconds),
    ...metric('watched_addresses', 'gauge', 'Watched addresses.', status.watched),
    ...(status.tokens === 0 ? [] : tokenMetrics(status)),
    ...metric('batches_total', 'counter', 'Stored batches.', status.batches),
    ...metric('transfers_total', 'counter', 'Stored transfers.', status.transfers),
    ...metric('rollbacks_total', 'counter', 'Rollbacks after a reorg.', status.rollbacks),
    toFamily(`${prefix}_chain`, 'gauge', 'Whether the chain is followed, or why not.', chains),
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
  return `${families.join('\n')}\n`
}
