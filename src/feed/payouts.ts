import { invalidArgument } from '../errors/chain-error.js'
import { feedQueueOf, type FeedQueue } from '../streams/payouts/feed-queue.js'
import type { FeedOptions } from './options.js'

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
