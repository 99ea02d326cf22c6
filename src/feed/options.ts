import type { ChainEngine } from '../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../errors/chain-error.js'
import type { ChainLogger } from '../platform/port.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { PayoutReader } from '../streams/payouts/payouts.js'
import type { FeedWatch } from './requests.js'
import type { FeedSink } from './sink.js'
import type { FeedToken } from './tokens/feed-token.js'

/** The parts of an engine that a feed uses. */
export type FeedEngine = Pick<ChainEngine, 'followTransfers' | 'followChain' | 'connection' | 'sinkBlueScore$'> & {
  /** Reads where tokens begin: needed with `tokens`. */
  readonly rpc?: Pick<ChainEngine['rpc'], 'getUtxosByAddresses'> | undefined
}

export interface FeedOptions extends Pick<
  FollowChainOptions,
  'from' | 'maxBlocks' | 'onGap' | 'nodeBehindTimeout' | 'onBehind' | 'agree'
> {
  /** An engine with `reconnect: { maxRetries: Infinity }`, which the feed does not dispose of. */
  readonly engine: FeedEngine
  /** The watched addresses; `'table'` with PostgreSQL: those in `watched_address`. */
  readonly watch: FeedWatch
  /**
   * How deep a block must be below the sink, in blue score, before its transfers are stored. 100 are about ten seconds.
   */
  readonly minConfirmations: number
  readonly sink: FeedSink
  /**
   * With all addresses as `watch`: deletes rows of `watched_address` that other programs have written, too, where they
   * are not among them. Otherwise `run()` rejects with `ChainError` (`invalid-argument`) where there are any. @default
   * false
   */
  readonly replace?: boolean | undefined
  /**
   * Rolls rows and cursor back once, in one transaction, before the feed goes on: to the chain block of this hash, or
   * to the newest one up to a blue score as decimal text. `run()` rejects with `ChainError` (`invalid-argument`), and
   * the range that is possible, for a block that the node does not have, that is above the stored position, or below
   * the oldest stored row.
   */
  readonly rewindTo?: string | undefined
  /**
   * A queue of `createPayouts` on the same pool, or the same instance of PGlite: it works while the feed runs, and what
   * the feed stores settles its payouts, in one transaction with one cursor. In place of its own `run()`. The feed
   * watches its addresses, and its `minConfirmations` is at most that of the queue. Not together with `rewindTo` and
   * `onGap: 'continue'`.
   */
  readonly payouts?: PayoutReader | undefined
  /**
   * Tokens of KCC-20, by artifact and genesis record as `createTokens` takes them: what has been received and spent of
   * them, and by whom, in tables of their own, in one transaction with transfers and cursor. A token that is stored is
   * named again in each run. Not together with `onGap: 'continue'`.
   */
  readonly tokens?: readonly FeedToken[] | undefined
  /** @default a logger that writes nothing */
  readonly logger?: ChainLogger | undefined
}

const NAMES = [
  'engine',
  'watch',
  'minConfirmations',
  'sink',
  'logger',
  'from',
  'maxBlocks',
  'onGap',
  'nodeBehindTimeout',
  'onBehind',
  'agree',
  'rewindTo',
  'replace',
  'payouts',
  'tokens',
] satisfies (keyof FeedOptions)[]

/** Throws `ChainError` (`invalid-argument`). The options of `followTransfers` are checked by it. */
export function checkFeedOptions(options: FeedOptions): void {
  refuseUnknown(options, NAMES)
  const { minConfirmations, watch, sink } = options
  if (!Number.isSafeInteger(minConfirmations) || minConfirmations < 0)
    throw invalidArgument('minConfirmations', '"minConfirmations" is not a whole number from 0')
  if (watch === 'table' && !sink.hasWatchTable)
    throw invalidArgument(
      'watch',
      'The sink has no table of watched addresses',
      'Pass the addresses, or use PostgreSQL.',
    )
}
