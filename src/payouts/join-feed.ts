import { ChainError } from '../errors/chain-error.js'
import { SessionDropped } from '../errors/payout-error.js'
import { onAbort } from '../loading/abortable.js'
import { decodeCursor } from '../model/chain-cursor/cursor.js'
import { encodeCursor } from '../model/chain-cursor/encode-cursor.js'
import type { SqlSession } from '../sql/session.js'
import type { FeedPosition, FeedQueueSession, QueueStep, StoreStep } from '../streams/payouts/feed-queue.js'
import { catchUp, ownTransactions } from './catch-up.js'
import { storeStep, type FollowerContext } from './chain-follower.js'
import { QueueNode } from './queue-node.js'
import type { SharedSession, SqlTables } from './stores/sql-tables.js'
import { work, type WorkContext } from './work.js'

export interface JoinContext extends Omit<WorkContext, 'node'> {
  readonly tables: SqlTables
}

/**
 * Works for a queue on a connection of a feed. Loaded by the first one that does. Rejects as `run` of the queue, and
 * with the signal's reason.
 */
export async function joinFeed(
  session: SqlSession,
  feed: FeedPosition,
  context: JoinContext,
): Promise<FeedQueueSession> {
  const { engine, options } = context
  if (Array.isArray(options.keysOrSigner)) await engine.wasm.init()
  const queue = new JoiningQueue(session, feed, context)
  try {
    await queue.open()
    return queue
  } catch (error) {
    await queue.close()
    throw error
  }
}

/**
 * - `waiting`: another instance has the lease, or the rows are being read. `apart`: the position is not that of the
 *   feed, or the feed lacks one of the addresses. `joined`: what the feed stores is settled with it.
 */
type JoiningState =
  | { readonly name: 'waiting' }
  | { readonly name: 'apart' | 'joined'; readonly session: SharedSession; readonly follower: FollowerContext }

class JoiningQueue implements FeedQueueSession {
  readonly failed: Promise<never>
  #state: JoiningState = { name: 'waiting' }
  /** The addresses that count at the stored position of the feed. */
  readonly #counting: Set<string>
  /** What the position of the feed is not below the sink by already, in blue score. */
  readonly #depth: number
  readonly #isOwn: (address: string) => boolean
  readonly #controller = new AbortController()
  readonly #unlink: () => void
  #working: Promise<void> = Promise.resolve()
  #fail: (error: unknown) => void = () => undefined

  constructor(
    private readonly connection: SqlSession,
    private readonly feed: FeedPosition,
    private readonly context: JoinContext,
  ) {
    const { addresses, minConfirmations } = context.options
    const own = new Set(addresses)
    this.#isOwn = (address) => own.has(address)
    this.#counting = new Set(feed.watched.filter(this.#isOwn))
    this.#depth = minConfirmations - feed.minConfirmations
    this.#unlink = onAbort(context.signal, (reason) => this.#controller.abort(reason))
    this.failed = new Promise((_, reject) => (this.#fail = reject))
    this.failed.catch(() => undefined) // reported by `write` as well
  }

  /** Begins to work; resolves once it does, or waits for the lease. A stored position that is the feed's is joined. */
  async open(): Promise<void> {
    const opened = new Promise<void>((resolve) => {
      this.#working = this.#work(resolve)
        .catch((error: unknown) => this.#fail(error))
        .then(resolve) // the signal has aborted
    })
    await Promise.race([opened, this.failed])
    const { cursor } = this.feed
    if (cursor === null || this.#state.name !== 'apart') return
    const stored = this.#state.follower.rows.wallet.cursor
    if (stored === null || stored === this.#toOwn(cursor)) await this.#join(cursor)
  }

  async write(step: QueueStep, store: StoreStep, isDue: boolean): Promise<readonly string[] | undefined> {
    if (step.removed.some(this.#isOwn)) this.#part()
    const state = this.#state
    if (state.name === 'joined') return this.#settle(step, store, isDue, state)
    if (!isDue) return undefined
    const left = await store()
    this.#count(step, left)
    await this.#join(step.cursor)
    return left
  }

  async close(): Promise<void> {
    this.#unlink()
    this.#controller.abort(new ChainError('The session of the feed was closed', { code: 'aborted' }))
    await this.#working
  }

  /** Works until `close()`, apart from following the chain. */
  async #work(onOpened: () => void): Promise<void> {
    const { tables, engine, options, scope, emit } = this.context
    const { signal } = this.#controller
    emit({ type: 'waiting' })
    try {
      const session = await tables.join(this.connection, scope, { signal, onWait: onOpened })
      const node = new QueueNode(engine, options)
      await work(session, { ...this.context, node, signal }, (follower) => {
        this.#state = { name: 'apart', session, follower }
        onOpened()
        return new Promise((resolve) => onAbort(follower.signal, () => resolve()))
      })
    } catch (error) {
      if (error instanceof SessionDropped) emit({ type: 'dropped' })
      throw error
    } finally {
      emit({ type: 'stopped' })
    }
  }

  /** Stores a step of the feed and what it changes of the queue in one transaction. */
  async #settle(
    step: QueueStep,
    store: StoreStep,
    isDue: boolean,
    { session, follower }: Exclude<JoiningState, { name: 'waiting' }>,
  ): Promise<readonly string[] | undefined> {
    const { cursor, rollback, blueScore, isLive } = step
    const transactions = ownTransactions(step.transactions, this.#isOwn)
    let left: readonly string[] | undefined
    const stored = await storeStep({ cursor: this.#toOwn(cursor), rollback, transactions }, follower.rows, {
      minConfirmations: this.#depth,
      isDue,
      store: (change) =>
        session.writeIn(change, async (beside) => {
          left = await store(beside)
        }),
    })
    follower.onStep({ ...stored, blueScore, isLive })
    if (left !== undefined) this.#count(step, left)
    if (!this.#isCounting()) this.#part()
    return left
  }

  /** Takes over the position of the feed, after what is missing up to there. */
  async #join(cursor: string): Promise<void> {
    const state = this.#state
    if (state.name !== 'apart' || !this.#isCounting()) return
    const { follower } = state
    const { rows } = follower
    const to = this.#toOwn(cursor)
    const { minConfirmations } = this.feed
    if (!(await catchUp({ cursor: to, minConfirmations, depth: this.#depth }, follower))) return
    await rows.moveTo(to)
    this.#state = { ...state, name: 'joined' }
    this.context.logger.info('The queue has the position of the feed', { name: this.context.scope.name })
  }

  /** The feed does not read an address of the queue any more: nothing is settled, and nothing signed, until it does. */
  #part(): void {
    const state = this.#state
    if (state.name !== 'joined') return
    this.#state = { ...state, name: 'apart' }
    const { rows, node, onStep } = state.follower
    const { blueScore } = decodeCursor(rows.wallet.cursor, node.network).tip
    onStep({ change: undefined, settled: [], isRollback: false, blueScore, isLive: false })
    this.context.logger.warn('The feed does not watch an address of the queue', { name: this.context.scope.name })
  }

  #count({ added, removed }: QueueStep, left: readonly string[]): void {
    for (const address of added.filter(this.#isOwn)) this.#counting.add(address)
    for (const address of [...removed, ...left]) this.#counting.delete(address)
  }

  #isCounting(): boolean {
    return this.context.options.addresses.every((address) => this.#counting.has(address))
  }

  /** The same position without what it says of the addresses of the feed. */
  #toOwn(cursor: string): string {
    const { network } = this.context.scope
    return encodeCursor(decodeCursor(cursor, network), network)
  }
}
