import type { ChainNetwork } from '../../model/network.js'
import type { Query, SqlSession } from '../../sql/session.js'
import type { TransferBatch } from '../transfers/transfer.js'

/** A queue of payouts as a feed sees it that writes into the same database. */
export interface FeedQueue {
  readonly name: string
  readonly network: ChainNetwork
  readonly addresses: readonly string[]
  readonly minConfirmations: number
  /** The pool, or the instance of PGlite, that has its rows; undefined for rows that a feed cannot write. */
  readonly database: object | undefined
  /**
   * Called by a feed that begins to run: `run()` of the queue rejects until it has called what this returns. Throws
   * `ChainError` (`invalid-argument`) while `run()` works.
   */
  reserve(): () => void
  /**
   * Works on a connection of the feed until `close()`, or until the signal aborts: signs and submits; settles as part
   * of the feed's steps, once its position is that of the feed. Resolves before that where another instance has the
   * lease of the queue.
   */
  open(session: SqlSession, feed: FeedPosition, signal: AbortSignal): Promise<FeedQueueSession>
}

/** Where a feed begins, and how it reads the chain. */
export interface FeedPosition {
  /** The stored position; null before the first step. */
  readonly cursor: string | null
  /** The addresses that count there. */
  readonly watched: readonly string[]
  readonly minConfirmations: number
}

/** A step of a feed, as far as a queue reads it. */
export interface QueueStep extends Omit<TransferBatch, 'addedAfter'> {
  readonly blueScore: bigint
  readonly removed: readonly string[]
}

/** Stores a step of the feed and what `beside` writes in one transaction. Resolves to addresses that were left out. */
export type StoreStep = (beside?: (query: Query) => Promise<void>) => Promise<readonly string[]>

/** A queue in a session of a feed. */
export interface FeedQueueSession {
  /**
   * Stores a step with what it changes of the queue. `isDue`: whether the feed stores it in any case. Resolves as
   * `store`; to undefined where nothing was stored. Rejects as `store`, and where the queue cannot go on.
   */
  write(step: QueueStep, store: StoreStep, isDue: boolean): Promise<readonly string[] | undefined>
  /** Rejects once the queue cannot go on, as `run()` of it; never resolves. */
  readonly failed: Promise<never>
  /** Ends the work. Never rejects. */
  close(): Promise<void>
}

const FEED_QUEUE: unique symbol = /*#__PURE__*/ Symbol.for('vue-chain feed queue')

/** Lets `feedQueueOf` find the queue of an object. */
export const withFeedQueue = <T extends object>(payouts: T, queue: FeedQueue): T =>
  Object.assign(payouts, { [FEED_QUEUE]: queue })

/** The queue of what `createPayouts` has returned; undefined for other objects. */
export function feedQueueOf(payouts: object): FeedQueue | undefined {
  const queue: unknown = FEED_QUEUE in payouts ? payouts[FEED_QUEUE] : undefined
  return isQueue(queue) ? queue : undefined
}

const isQueue = (value: unknown): value is FeedQueue =>
  typeof value === 'object' && value !== null && 'addresses' in value && 'open' in value
