import { Subscription } from 'rxjs'
import { decodeCursor, tipScoreOf } from '../model/chain-cursor/cursor.js'
import { invalidArgument } from '../errors/chain-error.js'
import { onAbort } from '../loading/abortable.js'
import { withPauses } from '../loading/pause.js'
import type { ChainNetwork } from '../model/network.js'
import type { ChainLogger } from '../platform/port.js'
import type { TransferBatches } from '../streams/transfers/follow-transfers.js'
import { keepTransfers } from '../streams/transfers/extract.js'
import type { TransferBatch } from '../streams/transfers/transfer.js'
import { loadWatchedAddresses, type WatchedAddresses } from '../streams/transfers/watched-addresses.js'
import { AddressKeeper, type Removed } from './address-keeper.js'
import { logProblem, type FeedEvent } from './status.js'
import type { FeedOptions } from './options.js'
import type { WantedAddresses } from './requests.js'
import { createResolveSince } from './resolve-since.js'
import type { FeedSession, FeedStep } from './sink.js'
import { type FollowedToken, followTokens, type TokenBatch } from './tokens/follow-tokens.js'

export interface DeliveryContext extends Omit<FeedOptions, 'tokens'> {
  readonly tokens: readonly FollowedToken[] | undefined
  readonly network: ChainNetwork
  readonly signal: AbortSignal
  /** Undefined where other programs write the watched addresses. */
  readonly wanted: WantedAddresses | undefined
  readonly emit: (event: FeedEvent) => void
  /** Called with the blue score up to which nothing is missing in the sink. */
  readonly onPosition: (blueScore: bigint | null) => void
  readonly logger: ChainLogger
}

/** Positions of empty batches are stored at most this often, in ms, and after that time without a batch. */
const POSITION_INTERVAL = 1_000

/**
 * Delivers in one session of the sink, until the signal aborts. Closes the session. Rejects with `SessionDropped`, and
 * as `run` does.
 */
export async function deliver(session: FeedSession, context: DeliveryContext): Promise<void> {
  const controller = new AbortController() // ends the iteration, also where the sink or a request fails
  const end = (): void => controller.abort(context.signal.reason)
  const release = onAbort(context.signal, end)
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown): void => {
    failure ??= { error }
    controller.abort(error)
  }
  session.dropped.catch(fail)
  let delivery: Delivery | undefined
  try {
    const watched = await loadWatchedAddresses(session.watched)
    controller.signal.throwIfAborted()
    delivery = new Delivery(session, { ...context, watched }, controller.signal, fail)
    await delivery.run()
  } catch (error) {
    if (failure !== undefined) throw failure.error
    if (!context.signal.aborted) throw error
  } finally {
    release()
    end() // where a step was not stored, the iteration would go on
    delivery?.end()
    await session.close()
  }
}

class Delivery {
  readonly #watched: WatchedAddresses
  readonly #keeper: AddressKeeper
  readonly #lifetime = new Subscription()
  /** The blue score up to which nothing is missing in the sink. */
  #position: bigint | null
  #storedAt = 0
  /** The latest batch, where it is empty and its position is not stored. */
  #unstored: TokenBatch | undefined
  /** The tokens that were incomplete in the last step. */
  #incomplete: string | undefined
  /** Whether the first batch, which carries the rollback of `rewindTo`, was checked. */
  #isRewound: boolean

  constructor(
    private readonly session: FeedSession,
    private readonly context: DeliveryContext & { readonly watched: WatchedAddresses },
    private readonly signal: AbortSignal,
    fail: (error: unknown) => void,
  ) {
    const { network, wanted, engine, watched } = context
    this.#watched = watched
    this.#position = session.cursor === null ? null : decodeCursor(session.cursor, network).tip.blueScore
    const isProtected = (address: string): boolean =>
      context.replace !== true && session.requestedByOthers?.has(address) === true
    const requests = wanted?.against(new Set(session.watched), isProtected) ?? session.requests
    if (requests === undefined) throw new RangeError('The sink has no requests') // excluded by the check of the options
    const resolveSince = createResolveSince(engine.followChain, network, { signal, timeout: context.nodeBehindTimeout })
    this.#keeper = new AddressKeeper(requests, this.#watched, network, resolveSince, fail)
    this.#lifetime.add(requests.changes$.subscribe(() => this.#keeper.advance()))
    this.#isRewound = context.rewindTo === undefined || session.cursor === null
    context.onPosition(this.#position)
    this.#lifetime.add(session.heartbeat$?.subscribe((state) => context.emit({ type: 'heartbeat', state })))
  }

  async run(): Promise<void> {
    const { engine, minConfirmations, maxBlocks, onGap, nodeBehindTimeout, onBehind, agree, from } = this.context
    const { emit, logger, rewindTo } = this.context
    const { cursor, findCredits, findOpenings } = this.session
    emit({ type: 'opened', blueScore: this.#position, watched: this.#watched.size })
    const batches = engine.followTransfers({
      addresses: this.#watched,
      ...(cursor === null ? { from } : { cursor, rewindTo }),
      minConfirmations,
      maxBlocks,
      onGap,
      nodeBehindTimeout,
      onBehind,
      agree,
      onProblem: (problem) => {
        logProblem(logger, problem)
        emit({ type: 'chain-problem', problem })
      },
      findCredits,
      findOpenings,
      detail: this.context.tokens === undefined ? 'full' : 'contracts',
      signal: this.signal,
    })
    const steps = withPauses(this.#withTokens(batches), POSITION_INTERVAL)
    const first = steps.next() // the set is followed from here on
    this.#keeper.advance()
    for (let result = await first; result.done !== true; result = await steps.next()) {
      const batch = result.value ?? this.#unstored
      if (batch !== undefined) await this.#store(batch, result.value === undefined)
      if (this.signal.aborted) break
    }
    await batches.return?.()
  }

  #withTokens(batches: TransferBatches): AsyncIterator<TokenBatch, undefined, undefined> {
    const { tokens, network, rewindTo, engine } = this.context
    if (tokens === undefined || engine.rpc === undefined) return batches
    const isRewound = rewindTo !== undefined
    const { session, signal } = this
    return followTokens(batches, { tokens, session, network, isRewound, rpc: engine.rpc, signal })
  }

  end(): void {
    this.#lifetime.unsubscribe()
  }

  async #store(batch: TokenBatch, isDue: boolean): Promise<void> {
    if (!this.#isRewound) await this.#requireStored(batch)
    const removed = this.#keeper.removed
    const step = this.#toStep({ ...batch, tokens: this.#changeOf(batch) }, removed)
    const { blueScore } = step
    const unwanted = isDue || this.#isDue(step) ? await this.session.write(step) : await this.session.pass?.(step)
    this.#unstored = unwanted === undefined ? batch : undefined
    this.#position = blueScore
    this.context.onPosition(blueScore)
    if (unwanted === undefined) return
    this.#storedAt = Date.now()
    this.#keeper.stored(step.added, removed, unwanted)
    this.context.emit({
      type: 'stored',
      blueScore,
      isLive: batch.isLive,
      transfers: step.transactions.reduce((sum, { transfers }) => sum + transfers.length, 0),
      isRollback: batch.rollback !== null,
      watched: this.#watched.size,
      tokens: this.context.tokens?.length ?? 0,
      incompleteTokens: batch.tokens?.incomplete.length ?? 0,
    })
  }

  /** What was removed since the batch was read is left out of it: it counts up to the position before. */
  #toStep(batch: TokenBatch, removed: Removed): FeedStep {
    const blueScore = tipScoreOf(batch.cursor)
    const added = batch.added.filter((address) => this.#keeper.isAdding(address))
    const isVoid = added.length < batch.added.length ? new Set(batch.added) : new Set<string>()
    for (const address of added) isVoid.delete(address)
    const isKept = (address: string): boolean => !removed.has(address) && !isVoid.has(address)
    const transactions =
      removed.size + isVoid.size === 0 ? batch.transactions : keepTransfers(batch.transactions, isKept)
    const ids = this.#keeper.idsOf(added, removed)
    return { ...batch, blueScore, added, transactions, removed: [...removed.keys()], ids }
  }

  /** Refuses a rewind below the oldest row: what is older cannot be delivered again. */
  async #requireStored({ rollback }: TransferBatch): Promise<void> {
    this.#isRewound = true
    if (rollback === null) return
    const openings = [...(await this.session.findOpenings(-1n))].map(({ blueScore }) => blueScore)
    const oldest = openings.reduce<bigint>((least, score) => (score < least ? score : least), openings[0] ?? 0n)
    if (rollback.blueScore >= oldest) return
    throw invalidArgument(
      'rewindTo',
      '"rewindTo" is below the oldest stored row',
      `Pass a block or a blue score from ${oldest} to ${this.#position ?? oldest}.`,
    )
  }

  /** What a batch changes of tokens; undefined where that is nothing. The first one says which are followed. */
  #changeOf({ tokens, rollback }: TokenBatch): FeedStep['tokens'] {
    if (tokens === undefined) return undefined
    const incomplete = tokens.incomplete.join()
    const isChange = rollback !== null || tokens.rows.length > 0 || incomplete !== this.#incomplete
    this.#incomplete = incomplete
    return isChange ? tokens : undefined
  }

  /** A batch that changes nothing need not be stored, but its position saves work after a restart. */
  #isDue({ rollback, transactions, added, removed, tokens }: FeedStep): boolean {
    if (
      this.#position === null ||
      rollback !== null ||
      tokens !== undefined ||
      transactions.length + added.length + removed.length > 0
    )
      return true
    return Math.abs(Date.now() - this.#storedAt) >= POSITION_INTERVAL // also after the clock was set back
  }
}
