import type { ChainProblem } from '../streams/chain/attempts.js'
import type { ChainLogger } from '../platform/port.js'
import { flags, toFamily } from '../model/prometheus.js'

/**
 * - `connecting`: waits for the sink. `stand-by`: another instance has the lease. `running`: delivers. `stopped`:
 *   `run()` has ended, or was not called.
 */
export type FeedPhase = 'stopped' | 'connecting' | 'stand-by' | 'running'

/** What a feed does, and how far it is. Counters begin at 0 with `createFeed`. */
export interface FeedStatus {
  readonly phase: FeedPhase
  /** The stored position; null before the first batch, and while another instance delivers. */
  readonly blueScore: bigint | null
  /** Whether the stored position was the end of the chain, below it `minConfirmations`. */
  readonly isLive: boolean
  /** Blocks, in blue score, that are deep enough and not stored yet; null while unknown. */
  readonly lagBlocks: bigint | null
  /** Since when, in seconds, the oldest of them has been deep enough; 0 without lag, null while unknown. */
  readonly lagSeconds: number | null
  /** Watched addresses; of a contract feed the followed covenants. */
  readonly watched: number
  readonly batches: number
  /** Stored transfers; of a contract feed the stored rows. */
  readonly transfers: number
  readonly rollbacks: number
  /** How often the sink was lost. */
  readonly reconnects: number
  /** Why it was lost last, without credentials; null since a batch was stored. */
  readonly failure: string | null
  /** How often renewals of the lease began, or the lease of another instance was looked at. */
  readonly heartbeats: number
  /** How often the lease was renewed. */
  readonly renewals: number
  /**
   * Why nothing is stored at the moment: `behind`, the chain of the node does not reach the stored position;
   * `malformed`, its response cannot be. `following` otherwise.
   */
  readonly chain: 'following' | 'behind' | 'malformed'
  /** The endpoint of the newest `behind` or `malformed`, without credentials; null before the first one. */
  readonly endpoint: string | null
  /** Responses that cannot be, each of which made the feed use another endpoint where there is one. */
  readonly malformed: number
  /** How often the position was rolled back because it was no block of the chain. */
  readonly rewound: number
  /** Followed tokens. */
  readonly tokens: number
  /** Those of which outputs are not known: their balances may be too small. */
  readonly incompleteTokens: number
}

export const INITIAL_STATUS: FeedStatus = {
  phase: 'stopped',
  blueScore: null,
  isLive: false,
  lagBlocks: null,
  lagSeconds: null,
  watched: 0,
  batches: 0,
  transfers: 0,
  rollbacks: 0,
  reconnects: 0,
  failure: null,
  heartbeats: 0,
  renewals: 0,
  chain: 'following',
  endpoint: null,
  malformed: 0,
  rewound: 0,
  tokens: 0,
  incompleteTokens: 0,
}

export type FeedEvent =
  | { readonly type: 'waiting'; readonly what: 'connection' | 'lease' }
  | { readonly type: 'opened'; readonly blueScore: bigint | null; readonly watched: number }
  | {
      readonly type: 'stored'
      readonly blueScore: bigint
      readonly isLive: boolean
      readonly transfers: number
      readonly isRollback: boolean
      readonly watched: number
      readonly tokens?: number
      readonly incompleteTokens?: number
    }
  | { readonly type: 'lag-measured'; readonly lagBlocks: bigint | null; readonly lagSeconds: number | null }
  | { readonly type: 'heartbeat'; readonly state: 'begun' | 'renewed' }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'chain-problem'; readonly problem: ChainProblem }
  | { readonly type: 'stopped' }

/** The next status. */
export function reduceStatus(status: FeedStatus, event: FeedEvent): FeedStatus {
  switch (event.type) {
    case 'waiting':
      if (event.what === 'lease') return standingBy(status)
      return status.phase === 'connecting' ? status : { ...status, phase: 'connecting' }
    case 'opened':
      return { ...status, phase: 'running', blueScore: event.blueScore, watched: event.watched, isLive: false }
    case 'stored':
      return {
        ...status,
        chain: 'following',
        failure: null,
        blueScore: event.blueScore,
        isLive: event.isLive,
        watched: event.watched,
        tokens: event.tokens ?? 0,
        incompleteTokens: event.incompleteTokens ?? 0,
        batches: status.batches + 1,
        transfers: status.transfers + event.transfers,
        rollbacks: status.rollbacks + (event.isRollback ? 1 : 0),
      }
    case 'lag-measured':
      return status.lagBlocks === event.lagBlocks && status.lagSeconds === event.lagSeconds
        ? status
        : { ...status, lagBlocks: event.lagBlocks, lagSeconds: event.lagSeconds }
    case 'chain-problem':
      return withProblem(status, event.problem)
    case 'heartbeat':
      return event.state === 'begun'
        ? { ...status, heartbeats: status.heartbeats + 1 }
        : { ...status, renewals: status.renewals + 1 }
    case 'lost':
      return { ...status, phase: 'connecting', reconnects: status.reconnects + 1, failure: event.reason }
    case 'stopped':
      return { ...status, phase: 'stopped', lagBlocks: null, lagSeconds: null }
  }
}

/** What the feed knew of the position is out of date: another instance moves it. */
const standingBy = (status: FeedStatus): FeedStatus => ({
  ...status,
  phase: 'stand-by',
  blueScore: null,
  lagBlocks: null,
  lagSeconds: null,
  failure: null,
  heartbeats: status.heartbeats + 1,
})

function withProblem(status: FeedStatus, problem: ChainProblem): FeedStatus {
  switch (problem.type) {
    case 'behind':
      return { ...status, chain: 'behind', endpoint: problem.url }
    case 'malformed':
      return { ...status, chain: 'malformed', endpoint: problem.url, malformed: status.malformed + 1 }
    case 'rewound':
      return { ...status, chain: 'following', rewound: status.rewound + 1 }
  }
}

/** Writes why the chain does not go on, with the blocks and endpoints that it is about. */
export function logProblem(logger: ChainLogger, problem: ChainProblem): void {
  switch (problem.type) {
    case 'behind':
      logger.warn('The chain of the node is behind the stored position', {
        endpoint: problem.url,
        block: problem.block,
      })
      return
    case 'malformed':
      logger.warn('A response of the node is malformed', { endpoint: problem.url, error: problem.error })
      return
    case 'rewound':
      logger.warn('The stored position was no block of the chain and is rewound', {
        endpoints: problem.urls,
        block: problem.block,
        to: problem.to,
      })
  }
}

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
