import { Subscription } from 'rxjs'
import { decodeCursor } from '../../model/chain-cursor/cursor.js'
import { entriesOf, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainBatch, ChainRollback } from '../chain/batch.js'
import type { ChainBatches } from '../chain/follow-chain.js'
import { readBlock, type ChainHeader } from '../chain/header.js'
import { startBackfill, cursorAt, type Backfill, type BackfillContext } from './backfill.js'
import { extractTransfers } from './extract.js'
import { Openings, type FindOpenings } from './openings.js'
import type { TransferBatch, TransferTransaction } from './transfer.js'
import { createWake } from './wake.js'
import { requireNetwork, type AddressChange, type WatchedAddresses } from './watched-addresses.js'

export interface TransferContext extends BackfillContext {
  readonly watched: WatchedAddresses
  readonly findOpenings: FindOpenings | undefined
  /** The stored position; null to begin at `readStart`. */
  readonly cursor: string | null
  /** The block after which the iteration begins. */
  readonly readStart: () => Promise<ChainHeader>
  /** The chain as the application follows it. */
  readonly followMain: (cursor: string) => ChainBatches
}

/** The batches of one iteration. */
export async function* transferBatches(
  follower: TransferFollower,
): AsyncGenerator<TransferBatch, undefined, undefined> {
  try {
    const first = await follower.begin()
    if (first !== null) yield first
    for (let batch = await follower.next(); batch !== null; batch = await follower.next()) yield batch
  } finally {
    follower.end()
  }
  return undefined
}

/** Follows the chain, and the passes of added addresses until they have caught up with it. */
export class TransferFollower {
  readonly #wake = createWake()
  readonly #openings: Openings
  #chain: ChainBatches | undefined
  #pulled: IteratorResult<ChainBatch, undefined> | undefined
  #isPulling = false
  #failure: { readonly error: unknown } | undefined
  /** The passes of added addresses. */
  #backfills: readonly Backfill[] = []
  /** Changes that came before the beginning. */
  #early: readonly AddressChange[] = []
  #cursor = ''
  #position: LocatorEntry | undefined
  #isLive = false

  readonly #lifetime = new Subscription()

  constructor(private readonly context: TransferContext) {
    this.#openings = new Openings(context.watched)
    this.#lifetime.add(context.watched.changes$.subscribe((change) => this.#change(change)))
  }

  /** The batch of opening credits; null after a stored position. */
  async begin(): Promise<TransferBatch | null> {
    const { cursor, watched, readStart, followMain, network } = this.context
    if (cursor !== null) {
      this.#moveTo(cursor)
      this.#openings.resume(this.#resumedAfter(cursor))
      this.#begun(followMain(cursor))
      return null
    }
    const initial = [...watched].filter((address) => this.#openings.isActive(address))
    const { start, transactions } = await this.#open(await readStart(), initial)
    this.#openings.begin(start.blueScore)
    this.#moveTo(cursorAt(start, network))
    this.#remember(transactions)
    this.#begun(followMain(this.#cursor))
    return this.#toBatch({ transactions })
  }

  /** The blue score after which the addresses of earlier processes count, unless these are looked up. */
  #resumedAfter(cursor: string): bigint {
    const { findOpenings, network } = this.context
    return findOpenings === undefined ? (entriesOf(decodeCursor(cursor, network)).at(-1)?.blueScore ?? 0n) : 0n
  }

  #begun(chain: ChainBatches): void {
    this.#chain = chain
    this.#lifetime.add(() => void chain.return?.())
    for (const change of this.#early) this.#change(change)
  }

  /** The next batch; null after the end of the chain's iteration. */
  async next(): Promise<TransferBatch | null> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error
      const done = this.#backfills.find((one) => this.#position !== undefined && one.covers(this.#position))
      if (done !== undefined) return this.#activate(done)
      const pulled = this.#pulled
      this.#pulled = undefined
      if (pulled?.done === true) return null
      if (pulled !== undefined) return this.#add(pulled.value)
      this.#pull()
      await this.#wake.wait()
    }
  }

  end(): void {
    this.#lifetime.unsubscribe()
  }

  /** Requests the next batch unless it is on its way. */
  #pull(): void {
    if (this.#isPulling || this.#chain === undefined) return
    this.#isPulling = true
    const onPulled = (result: IteratorResult<ChainBatch, undefined>) => {
      this.#pulled = result
      this.#isPulling = false
      this.#wake.wake()
    }
    this.#chain.next().then(onPulled, this.#fail)
  }

  /** Keeps an error for the consumer. */
  readonly #fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.#wake.wake()
  }

  #change(change: AddressChange): void {
    const { type, addresses, since } = change
    if (type === 'deleted') {
      this.#openings.delete(addresses)
      return
    }
    this.#openings.addPending(addresses)
    if (this.#chain === undefined) {
      this.#early = [...this.#early, change]
      return
    }
    try {
      requireNetwork(addresses, this.context.network)
      this.#backfill(since ?? this.#cursor, addresses)
    } catch (error) {
      this.#fail(error) // an address of another network
    }
  }

  #backfill(cursor: string, addresses: readonly string[]): void {
    const handlers = { onProgress: () => this.#wake.wake(), onFailure: this.#fail }
    const backfill = startBackfill(this.context, cursor, addresses, handlers)
    backfill.ready.catch(() => undefined) // passed to `onFailure` as well
    this.#lifetime.add(() => backfill.end())
    this.#backfills = [...this.#backfills, backfill]
  }

  /** The transfers of added addresses up to the position, in one batch: from then on they count like all others. */
  #activate(backfill: Backfill): TransferBatch {
    this.#backfills = this.#backfills.filter((one) => one !== backfill)
    backfill.end()
    const added = backfill.addresses.filter((address) => this.#openings.isPending(address))
    const addedAfter = backfill.start().blueScore
    this.#openings.activate(added, addedAfter)
    const transactions = this.#position === undefined ? [] : backfill.take(this.#position)
    this.#remember(transactions)
    return this.#toBatch({ transactions, added, addedAfter })
  }

  async #add(pulled: ChainBatch): Promise<TransferBatch> {
    const { batch, reopened } = pulled.rollback === null ? { batch: pulled, reopened: [] } : await this.#reopen(pulled)
    this.#moveTo(batch.cursor)
    this.#isLive = batch.isLive
    const blocks = await this.context.known.complete(batch.blocks)
    const { isChange } = this.context
    const filter = { isWatched: (address: string) => this.#openings.isActive(address), isChange }
    const transactions = [...reopened, ...blocks.flatMap((block) => extractTransfers(block, filter))]
    this.#remember(transactions)
    return this.#toBatch({ rollback: batch.rollback, transactions })
  }

  /** Opening credits of the addresses whose start a rollback undoes, at the fork point. */
  async #reopen(
    pulled: ChainBatch,
  ): Promise<{ readonly batch: ChainBatch; readonly reopened: readonly TransferTransaction[] }> {
    let batch = pulled
    for (;;) {
      const { rollback } = batch
      const addresses = rollback === null ? [] : await this.#openedAbove(rollback.blueScore)
      if (rollback === null || addresses.length === 0) return { batch, reopened: [] }
      const { attempts, scope } = this.context
      const { start, transactions } = await this.#open(
        await attempts.run(() => readBlock(scope, rollback.hash)),
        addresses,
      )
      if (start.blueScore >= rollback.blueScore) {
        this.#openings.lowerTo(rollback.blueScore)
        return { batch, reopened: transactions }
      }
      const next = await this.#chain?.next() // a deeper reorg in the meantime: the chain reports it next
      if (next?.done !== false) return { batch, reopened: [] }
      batch = mergeBatches(batch, next.value)
    }
  }

  async #openedAbove(blueScore: bigint): Promise<readonly string[]> {
    this.#openings.restore((await this.context.findOpenings?.(blueScore)) ?? [])
    return this.#openings.above(blueScore)
  }

  async #open(
    at: ChainHeader,
    addresses: readonly string[],
  ): Promise<{ readonly start: ChainHeader; readonly transactions: readonly TransferTransaction[] }> {
    if (addresses.length === 0) return { start: at, transactions: [] }
    const backfill = startBackfill(this.context, cursorAt(at, this.context.network), addresses)
    this.#lifetime.add(() => backfill.end())
    try {
      await backfill.ready
      return { start: backfill.start(), transactions: backfill.take(backfill.start()) }
    } finally {
      backfill.end()
    }
  }

  #moveTo(cursor: string): void {
    this.#cursor = cursor
    this.#position = decodeCursor(cursor, this.context.network).tip
  }

  #remember(transactions: readonly TransferTransaction[]): void {
    for (const { transfers } of transactions) this.context.known.add(transfers)
  }

  #toBatch({
    transactions,
    rollback = null,
    added = [],
    addedAfter = null,
  }: {
    readonly transactions: readonly TransferTransaction[]
    readonly rollback?: ChainRollback | null
    readonly added?: readonly string[]
    readonly addedAfter?: bigint | null
  }): TransferBatch {
    return { cursor: this.#cursor, rollback, transactions, added, addedAfter, isLive: this.#isLive }
  }
}

/** Two consecutive batches as one. */
function mergeBatches(first: ChainBatch, second: ChainBatch): ChainBatch {
  const { rollback } = second
  if (rollback === null) return { ...second, rollback: first.rollback, blocks: [...first.blocks, ...second.blocks] }
  const kept = first.blocks.filter(({ blueScore }) => blueScore <= rollback.blueScore)
  const isDeeper = first.rollback === null || rollback.blueScore < first.rollback.blueScore
  return { ...second, rollback: isDeeper ? rollback : first.rollback, blocks: [...kept, ...second.blocks] }
}
