import { toChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { decodeCursor } from '../../model/chain-cursor/cursor.js'
import { encodeCursor } from '../../model/chain-cursor/encode-cursor.js'
import { locatorAt, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Attempts } from '../chain/attempts.js'
import type { ChainBlock, LocatedBatch } from '../chain/batch.js'
import type { LocatedBatches } from '../chain/follow-chain.js'
import { readBlock, type ChainHeader } from '../chain/header.js'
import { aborted } from '../chain/endings.js'
import type { FollowScope } from '../chain/scope.js'
import { type AddressFilter, keepTransfers } from './extract.js'
import type { KnownOutputs } from './known-outputs.js'
import { acceptBlocks, mergeReads, readIndex, type IndexRead } from './read-index.js'
import { openingCredits } from './opening.js'
import { Scan, type ScanOptions } from './scan.js'
import type { TransferTransaction } from './transfer.js'
import type { WatchedAddresses } from './watched-addresses.js'

export interface BackfillContext {
  readonly scope: FollowScope
  readonly attempts: Attempts
  readonly network: ChainNetwork
  readonly known: KnownOutputs
  /** How deep the position stays below the sink, in blue score. */
  readonly minConfirmations: bigint
  /** Follows the chain on its own, from a cursor. */
  readonly follow: (cursor: string) => LocatedBatches
  readonly isChange: AddressFilter['isChange']
  /** All watched addresses, those of a pass included. */
  readonly watched: Pick<WatchedAddresses, 'has'>
}

/** What a pass reads, and from where. */
export interface BackfillRequest {
  readonly cursor: string
  readonly addresses: Iterable<string>
  /** `openings`: only the opening credits are taken. */
  readonly keeps: ScanOptions['keeps']
}

/** The transfers of some addresses since a block, and the UTXOs that they had there. */
export interface Backfill {
  readonly addresses: ReadonlySet<string>
  /** Resolves once the opening credits are known. Rejects with the error of the pass. */
  readonly ready: Promise<void>
  /** The block after which the addresses count; after a reorg below it, the fork point. Defined once `ready`. */
  readonly start: () => ChainHeader
  /** Whether the pass is ready and has all transfers up to a position. */
  covers(position: LocatorEntry): boolean
  /** Leaves an address out. */
  delete(address: string): void
  /** Opening credits, and the kept transfers up to a position. */
  take(position: LocatorEntry): readonly TransferTransaction[]
  /** Releases what the pass holds. */
  end(): void
}

/** The position of a single block. */
export const positionAt = ({ hash, blueScore, blueWork }: ChainHeader): ChainLocator =>
  locatorAt({ hash, blueScore, blueWork })

/** The cursor of a single block. */
export const cursorAt = (block: ChainHeader, network: ChainNetwork): string => encodeCursor(positionAt(block), network)

/** Calls of a pass, which goes on until it is ended. */
export interface BackfillHandlers {
  /** After each batch. */
  readonly onProgress: () => void
  readonly onFailure: (error: unknown) => void
}

const IGNORE: BackfillHandlers = { onProgress: () => undefined, onFailure: () => undefined }

/** How many of the newest chain blocks a pass holds. Tips beyond the sink seldom spend what older ones have spent. */
const RECENT = 200

/** Starts a pass of its own over the chain. */
export function startBackfill(
  context: BackfillContext,
  request: BackfillRequest,
  handlers: BackfillHandlers = IGNORE,
): Backfill {
  const pass = new BackfillPass(context, request)
  return {
    addresses: pass.addresses,
    ready: pass.run(handlers),
    start: () => pass.start,
    covers: ({ hash }) => pass.isReady && (hash === pass.start.hash || pass.scan.has(hash)),
    delete: (address) => pass.addresses.delete(address),
    take: ({ blueScore }) => pass.take(blueScore),
    end: () => pass.end(),
  }
}

class BackfillPass {
  readonly addresses: Set<string>
  isReady = false
  scan: Scan
  readonly #options: ScanOptions
  #chain: LocatedBatches
  #start: ChainHeader | undefined
  #index: IndexRead | undefined
  /** The newest blocks of the chain. */
  #recent: readonly ChainBlock[] = []
  #tip = 0n
  #isEnded = false

  constructor(
    private readonly context: BackfillContext,
    private readonly request: BackfillRequest,
  ) {
    const { watched, isChange, minConfirmations } = context
    this.addresses = new Set(request.addresses)
    const isWatched = (address: string): boolean => watched.has(address)
    const isExtracted = (address: string): boolean => this.addresses.has(address)
    this.#options = { filter: { isWatched, isExtracted, isChange }, keeps: request.keeps, minConfirmations }
    this.scan = new Scan(this.#options)
    this.#chain = context.follow(request.cursor)
  }

  get start(): ChainHeader {
    if (this.#start === undefined) throw new RangeError('The pass has not begun')
    return this.#start
  }

  /**
   * Resolves when the pass is ready; it then follows the chain until `end`. Rejects with its error, and where it ends
   * before.
   */
  run({ onProgress, onFailure }: BackfillHandlers): Promise<void> {
    return new Promise((resolve, reject) => {
      const follow = async (): Promise<void> => {
        await this.#begin(decodeCursor(this.request.cursor, this.context.network).tip.hash)
        for (;;) {
          const { value } = await this.#chain.next()
          if (value === undefined) break
          await this.#add(value)
          if (this.isReady) resolve()
          onProgress()
        }
        reject(aborted('The pass was ended'))
      }
      follow().catch((error: unknown) => {
        reject(toChainError(error, 'A pass over the chain failed'))
        onFailure(error)
      })
    })
  }

  take(blueScore: bigint): readonly TransferTransaction[] {
    const isKept = (address: string): boolean => this.addresses.has(address)
    const entries = (this.#index?.entries ?? []).filter(({ address = '' }) => isKept(address))
    const spent = this.scan.spent().filter(({ address }) => isKept(address))
    const transactions = keepTransfers(this.scan.transactions(blueScore), isKept)
    return [...openingCredits(this.start, { spent, entries }), ...transactions]
  }

  end(): void {
    this.#isEnded = true
    void this.#chain.return?.()
  }

  /** Begins at a block, again after a reorg below the start. */
  async #begin(hash: string): Promise<void> {
    this.#start = await this.context.attempts.run(() => readBlock(this.context.scope, hash))
    this.#tip = this.#start.blueScore
    this.#recent = []
    this.#forgetIndex()
    this.scan = new Scan(this.#options)
  }

  /** The index is read again: it lacks what removed blocks had spent. */
  #forgetIndex(): void {
    this.#index = undefined
    this.isReady = false
  }

  /** Reads the chain from the start again. */
  async #restart(): Promise<void> {
    void this.#chain.return?.()
    this.#chain = this.context.follow(cursorAt(this.start, this.context.network))
    if (this.#isEnded) void this.#chain.return?.()
    await this.#begin(this.start.hash)
  }

  async #add(batch: LocatedBatch): Promise<void> {
    const { rollback } = batch
    if (rollback !== null && rollback.blueScore < this.start.blueScore) await this.#begin(rollback.hash)
    const added = this.scan.add({ rollback, blocks: await this.context.known.complete(batch.blocks) })
    if (added === undefined) return this.#restart()
    if (rollback !== null) this.#forgetIndex()
    this.context.known.add(added)
    this.#tip = batch.blocks.at(-1)?.blueScore ?? rollback?.blueScore ?? this.#tip
    const kept = rollback === null ? this.#recent : this.#recent.filter((one) => one.blueScore <= rollback.blueScore)
    this.#recent = [...kept, ...batch.blocks].slice(-RECENT)
    if (batch.isLive && !this.isReady) await this.#settle()
  }

  /**
   * The index lacks what blocks beyond its sink spend, and the chain may not accept these spends. They are settled once
   * the chain has accepted them, which it may have done before (as after a reorg, whose old branch is a tip with the
   * same payments), or once another look finds no such block: an output that is unspent again is then in the index.
   */
  async #settle(): Promise<void> {
    let index = this.#index && acceptBlocks(this.#index, this.#recent)
    if (index === undefined || index.unsettled.size > 0) {
      const read = mergeReads(index, await this.#readIndex())
      index = read && acceptBlocks(read, this.#recent)
    }
    this.#index = index
    this.isReady = index?.unsettled.size === 0 && this.#tip >= index.sinkScore
  }

  /** Reads from one connection, so that the check of the start block holds for the node that was read. */
  async #readIndex(): Promise<IndexRead | null> {
    const { scope, attempts } = this.context
    const { read } = await attempts.run(async (session) => {
      if (!session.serverInfo.hasUtxoIndex) throw withoutIndex()
      const read = await readIndex(scope, this.start.hash, [...this.addresses])
      return (await scope.connected()) === session ? { read } : 'behind'
    })
    return read
  }
}

const withoutIndex = (): ChainRpcError =>
  new ChainRpcError('getUtxosByAddresses', undefined, {
    code: 'unsupported',
    hint: 'Run the node with --utxoindex, or set url to such a node: opening credits are read from the index.',
  })
