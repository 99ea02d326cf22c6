import { Subscription } from 'rxjs'
import { decodePosition } from '../../model/chain-cursor/cursor.js'
import { encodeCursor } from '../../model/chain-cursor/encode-cursor.js'
import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import type { ChainBlock, ChainContractTransaction, ChainRollback, LocatedBatch } from '../chain/batch.js'
import type { LocatedBatches } from '../chain/follow-chain.js'
import { readBlock, type ChainHeader } from '../chain/header.js'
import { AddedAddresses, type CaughtUp } from './added-addresses.js'
import { cursorAt, positionAt, type BackfillContext } from './backfill.js'
import { extractTransfers } from './extract.js'
import { openAddresses, type OpenAddresses, reopen, type Reopened } from './reopen.js'
import { Openings, type FindOpenings } from './openings.js'
import { createPull, type Pull, createWake } from './wait-for-any.js'
import type { TransferBatch, TransferTransaction } from './transfer.js'
import { requireNetwork, type AddressChange, type WatchedAddresses } from './watched-addresses.js'

export interface TransferContext extends BackfillContext {
  readonly watched: WatchedAddresses
  readonly findOpenings: FindOpenings | undefined
  /** The watched addresses that count at the stored position; undefined for all. */
  readonly counted: Iterable<string> | undefined
  /** The stored position; null to begin at `readStart`. */
  readonly cursor: string | null
  /** The block after which the iteration begins. */
  readonly readStart: () => Promise<ChainHeader>
  /** Whether batches have their blocks. */
  readonly hasBlocks: boolean
  /** The chain as the application follows it. */
  readonly followMain: (cursor: string) => LocatedBatches
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

/** Follows the chain, and lets added addresses count once their passes have caught up with it. */
export class TransferFollower {
  readonly #wake = createWake()
  readonly #lifetime = new Subscription()
  readonly #openings = new Openings()
  readonly #added: AddedAddresses
  readonly #open: OpenAddresses
  #chain: Pull<LocatedBatch> | undefined
  #failure: { readonly error: unknown } | undefined
  /** The position that all batches so far have reached. */
  #locator: ChainLocator | undefined
  #isLive = false

  constructor(private readonly context: TransferContext) {
    this.#added = new AddedAddresses(context, { onProgress: () => this.#wake.wake(), onFailure: this.fail })
    this.#open = openAddresses(context, this.#lifetime)
    this.#lifetime.add(() => this.#added.end())
    this.#lifetime.add(context.watched.changes$.subscribe((change) => this.#change(change)))
  }

  /** The batch of opening credits; null after a stored position. */
  async begin(): Promise<TransferBatch | null> {
    const { cursor, watched, network, readStart, findOpenings } = this.context
    if (cursor !== null) {
      const position = decodePosition(cursor, network)
      this.#openings.resume(position, watched)
      // all starts are looked up, also those below the oldest block
      if (findOpenings !== undefined) this.#openings.begin(0n)
      this.#addUncounted()
      this.#follow(cursor, position.locator)
      return null
    }
    const initial = this.#counting()
    const { start, transactions } = await this.#open(await readStart(), initial)
    this.#openings.begin(start.blueScore)
    this.#follow(cursorAt(start, network), positionAt(start))
    return this.#toBatch({ transactions })
  }

  /** The next batch; null after the end of the chain's iteration. */
  async next(): Promise<TransferBatch | null> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error
      this.#added.begin(() => this.#encode(this.#position))
      const caughtUp = this.#locator && this.#added.takeAt(this.#locator.tip)
      if (caughtUp !== undefined) return this.#activate(caughtUp)
      const pulled = this.#chain?.take()
      if (pulled?.done === true) return null
      if (pulled !== undefined) return this.#add(pulled.value)
      this.#chain?.request()
      await this.#wake.wait()
    }
  }

  end(): void {
    this.#lifetime.unsubscribe()
  }

  /** Addresses that have joined since the stored position. */
  #addUncounted(): void {
    const { counted, watched } = this.context
    if (counted === undefined) return
    const known = new Set(counted)
    const added = [...watched].filter((address) => !known.has(address) && !this.#added.has(address))
    if (added.length > 0) this.#added.add(added, {})
  }

  #follow(cursor: string, locator: ChainLocator): void {
    this.#locator = locator
    const handlers = { onArrival: () => this.#wake.wake(), onFailure: this.fail }
    const chain = createPull(this.context.followMain(cursor), handlers)
    this.#chain = chain
    this.#lifetime.add(() => chain.end())
  }

  get #position(): ChainLocator {
    if (this.#locator === undefined) throw new RangeError('The iteration has no position')
    return this.#locator
  }

  readonly #encode = (locator: ChainLocator): string => encodeCursor(locator, this.context.network)

  /** Keeps an error for the consumer. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.#wake.wake()
  }

  #change({ type, addresses, since, onFailure }: AddressChange): void {
    this.#added.delete(addresses) // one that is added again gets a new pass
    this.#openings.delete(addresses)
    if (type === 'deleted') return
    try {
      requireNetwork(addresses, this.context.network)
      this.#added.add(addresses, { since, onFailure })
      this.#wake.wake()
    } catch (error) {
      this.fail(error)
    }
  }

  readonly #isWatched = (address: string): boolean => this.context.watched.has(address)

  readonly #isCounting = (address: string): boolean => this.#isWatched(address) && !this.#added.has(address)

  readonly #counting = (): readonly string[] => [...this.context.watched].filter(this.#isCounting)

  /** The transfers of added addresses up to the position, in one batch: from then on they count like all others. */
  #activate({ addresses, start, transactions }: CaughtUp): TransferBatch {
    this.#openings.activate(addresses, start)
    return this.#toBatch({ transactions, added: [...addresses], addedAfter: start })
  }

  async #add(pulled: LocatedBatch): Promise<TransferBatch> {
    const { batch, transactions: reopened } = await this.#reopen(pulled)
    this.#locator = batch.locator
    this.#isLive = batch.isLive
    const { known, isChange } = this.context
    const filter = { isWatched: this.#isWatched, isExtracted: this.#isCounting, isChange }
    const blocks = await known.complete(batch.blocks)
    const transactions = [...reopened, ...blocks.flatMap((block) => extractTransfers(block, filter))]
    return this.#toBatch({ rollback: batch.rollback, transactions, blocks: batch.blocks })
  }

  async #reopen(batch: LocatedBatch): Promise<Reopened> {
    const { attempts, scope } = this.context
    return reopen(batch, {
      openings: this.#openings,
      findOpenings: this.context.findOpenings,
      isCounting: this.#isCounting,
      counting: this.#counting,
      open: this.#open,
      readHeader: (hash) => attempts.run(() => readBlock(scope, hash)),
      toCursor: this.#encode,
      nextBatch: async () => (await this.#chain?.next())?.value,
      position: this.#locator?.tip ?? { hash: '', blueScore: 0n },
    })
  }

  #toBatch({ transactions, rollback = null, added = [], addedAfter = null, blocks = [] }: BatchParts): TransferBatch {
    for (const { transfers } of transactions) this.context.known.add(transfers)
    const batch = { cursor: this.#toCursor(), rollback, transactions, added, addedAfter, isLive: this.#isLive }
    return this.context.hasBlocks && isDetailed(blocks) ? { ...batch, blocks } : batch
  }

  /** The cursor of the position, with the starts of added addresses. */
  #toCursor(): string {
    const locator = this.#position
    return encodeCursor(locator, this.context.network, this.#openings.toStarts(locator.tip.blueScore))
  }
}

interface BatchParts {
  readonly transactions: readonly TransferTransaction[]
  readonly rollback?: ChainRollback | null
  readonly added?: readonly string[]
  readonly addedAfter?: bigint | null
  readonly blocks?: readonly ChainBlock[]
}

/** Whether blocks were read with `detail: 'contracts'`. */
const isDetailed = (blocks: readonly ChainBlock[]): blocks is readonly ChainBlock<ChainContractTransaction>[] =>
  blocks.every(({ transactions }) => transactions.every((transaction) => 'lockTime' in transaction))
