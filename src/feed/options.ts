import type { ChainEngine } from '../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../errors/chain-error.js'
import type { ChainLogger } from '../platform/port.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { PayoutReader } from '../streams/payouts/payouts.js'
import type { FeedWatch } from './requests.js'
import type { FeedSink } from './sink.js'
import type { TokenDefinition } from '../model/tokens/define-token.js'
import type { SnapshotOutput } from '../streams/contracts/start-rows.js'
import { feedQueueOf, type FeedQueue } from '../streams/payouts/feed-queue.js'

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

/** A token that a feed follows. */
export interface FeedToken extends TokenDefinition {
  /**
   * Its unspent outputs, of any source, where the feed begins after its genesis: each is verified in the UTXO set, or
   * in the block that has it again after a reorg. Not needed once they are too deep for a reorg.
   * @default the outputs of the genesis
   */
  readonly snapshot?: readonly SnapshotOutput[] | undefined
}

/** The queue of the option `payouts`. Throws `ChainError` (`invalid-argument`) for one that the feed cannot settle. */
export function checkPayouts(options: FeedOptions): FeedQueue | undefined {
  const { payouts, sink, minConfirmations } = options
  if (payouts === undefined) return undefined
  const queue = feedQueueOf(payouts)
  if (queue === undefined)
    throw invalidArgument('payouts', '"payouts" is no queue', 'Pass what createPayouts of vue-chain/payouts returned.')
  if (sink.database === undefined || queue.database === undefined)
    throw invalidArgument(
      'payouts',
      `${sink.database === undefined ? 'The sink' : 'The journal of "payouts"'} has no transaction that feed and queue could share`,
      'Use createPostgresSink and postgresJournal with one pool, or createPgliteSink and pgliteJournal with one instance of PGlite. JetStream, sinks of your own, memoryJournal, indexedDbJournal, a URL and a folder have none.',
    )
  if (sink.database !== queue.database)
    throw invalidArgument(
      'payouts',
      'The sink and the journal of "payouts" have different pools, or instances of PGlite',
      'Pass the same one to both: that is how it is known that they write into the same database.',
    )
  if (minConfirmations > queue.minConfirmations)
    throw invalidArgument(
      'minConfirmations',
      `"minConfirmations" of the feed is ${minConfirmations}, above that of "payouts", ${queue.minConfirmations}`,
      'The queue would settle later than it says: lower the one, or raise the other.',
    )
  checkPositions(options)
  return queue
}

/** A queue has one way through the chain, without gaps and rewinds. */
function checkPositions({ rewindTo, onGap }: FeedOptions): void {
  if (rewindTo !== undefined)
    throw invalidArgument(
      'rewindTo',
      '"rewindTo" would take back payouts that are settled',
      'Run the feed once without "payouts": the queue goes on when the feed has passed its position.',
    )
  if (onGap === 'continue')
    throw invalidArgument(
      'onGap',
      '"onGap" is "continue": the queue would miss what the gap has of its payments',
      'Run the feed once without "payouts", and the queue alone with a node that has the history.',
    )
}

/** Throws `ChainError` (`invalid-argument`) for a queue of another network than the engine of the feed. */
export function requireQueueNetwork(queue: FeedQueue | undefined, network: string): void {
  if (queue !== undefined && queue.network !== network)
    throw invalidArgument('payouts', `"payouts" is of ${queue.network}, the feed of ${network}`)
}

/** Ms from 100 on. Throws `ChainError` (`invalid-argument`). */
export function checkTime(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 100) return value
  throw invalidArgument(name, `"${name}" is no number of milliseconds from 100`)
}
