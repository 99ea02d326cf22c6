import { toChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { decodeCursor, encodeCursor } from '../../model/chain-cursor/cursor.js'
import { locatorAt, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { Attempts } from '../chain/attempts.js'
import type { ChainBatch, ChainBlock } from '../chain/batch.js'
import type { ChainBatches } from '../chain/follow-chain.js'
import { readBlock, type ChainHeader } from '../chain/header.js'
import { aborted, type FollowScope } from '../chain/scope.js'
import type { AddressFilter } from './extract.js'
import type { KnownOutputs } from './known-outputs.js'
import { openingCredits } from './opening.js'
import { readIndex, type IndexRead } from './read-index.js'
import { Scan } from './scan.js'
import type { TransferTransaction } from './transfer.js'

export interface BackfillContext {
  readonly scope: FollowScope
  readonly attempts: Attempts
  readonly network: ChainNetwork
  readonly known: KnownOutputs
  /** Follows the chain on its own, from a cursor. */
  readonly follow: (cursor: string) => ChainBatches
  readonly isChange: AddressFilter['isChange']
}

/** The transfers of some addresses since a block, and the UTXOs that they had there. */
export interface Backfill {
  readonly addresses: readonly string[]
  /** Resolves once the opening credits are known. Rejects with the error of the pass. */
  readonly ready: Promise<void>
  /** The block after which the addresses count; after a reorg below it, the fork point. Defined once `ready`. */
  readonly start: () => ChainHeader
  /** Whether the pass is ready and has all transfers up to a position. */
  covers(position: LocatorEntry): boolean
  /** Opening credits, and transfers from the start up to a position. */
  take(position: LocatorEntry): readonly TransferTransaction[]
  /** Releases what the pass holds. */
  end(): void
}

/** The cursor of a single block. */
export const cursorAt = ({ hash, blueScore, blueWork }: ChainHeader, network: ChainNetwork): string =>
  encodeCursor(locatorAt({ hash, blueScore, blueWork }), network)

/** Calls of a pass, which goes on until it is ended. */
export interface BackfillHandlers {
  /** After each batch. */
  readonly onProgress: () => void
  readonly onFailure: (error: unknown) => void
}

const IGNORE: BackfillHandlers = { onProgress: () => undefined, onFailure: () => undefined }

/** Starts a pass of its own over the chain, from a cursor on. */
export function startBackfill(
  context: BackfillContext,
  cursor: string,
  addresses: readonly string[],
  handlers: BackfillHandlers = IGNORE,
): Backfill {
  const pass = new BackfillPass(context, cursor, addresses)
  return {
    addresses,
    ready: pass.run(handlers),
    start: () => pass.start,
    covers: ({ hash }) => pass.isReady && (hash === pass.start.hash || pass.scan.has(hash)),
    take: ({ blueScore }) => pass.take(blueScore),
    end: () => pass.end(),
  }
}

class BackfillPass {
  isReady = false
  scan: Scan
  readonly #chain: ChainBatches
  readonly #filter: AddressFilter
  #start: ChainHeader | undefined
  #index: IndexRead | undefined
  #tip = 0n

  constructor(
    private readonly context: BackfillContext,
    private readonly cursor: string,
    private readonly addresses: readonly string[],
  ) {
    const watched = new Set(addresses)
    this.#filter = { isWatched: (address) => watched.has(address), isChange: context.isChange }
    this.scan = new Scan(this.#filter)
    this.#chain = context.follow(cursor)
  }

  get start(): ChainHeader {
    if (this.#start === undefined) throw new RangeError('The pass has not begun')
    return this.#start
  }

  /** Resolves when the pass is ready; it then follows the chain until `end`. Rejects with its error, and where it ends before. */
  run({ onProgress, onFailure }: BackfillHandlers): Promise<void> {
    return new Promise((resolve, reject) => {
      const follow = async (): Promise<void> => {
        await this.#begin(decodeCursor(this.cursor, this.context.network).tip.hash)
        for await (const batch of this.#chain) {
          await this.#add(batch)
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
    const moved = this.scan.transactions().flatMap(({ transfers }) => transfers)
    const entries = (this.#index?.entries ?? []).filter(({ address }) => this.#filter.isWatched(address ?? ''))
    return [...openingCredits(this.start, { moved, entries }), ...this.scan.transactions(blueScore)]
  }

  end(): void {
    void this.#chain.return?.()
  }

  /** Begins at a block, again after a reorg below the start. */
  async #begin(hash: string): Promise<void> {
    this.#start = await this.context.attempts.run(() => readBlock(this.context.scope, hash))
    this.#tip = this.#start.blueScore
    this.#index = undefined
    this.isReady = false
    this.scan = new Scan(this.#filter)
  }

  async #add(batch: ChainBatch): Promise<void> {
    const { rollback } = batch
    if (rollback !== null && rollback.blueScore < this.start.blueScore) await this.#begin(rollback.hash)
    this.scan.add({ rollback, blocks: await this.context.known.complete(batch.blocks) })
    this.#tip = batch.blocks.at(-1)?.blueScore ?? rollback?.blueScore ?? this.#tip
    if (batch.isLive && !this.isReady) await this.#settle(batch)
  }

  /**
   * The index lacks what blocks beyond its sink spend, and the chain may not accept these spends. They are settled once the chain
   * has accepted them, or once another look finds no such block: an output that is unspent again is then in the index.
   */
  async #settle({ blocks }: ChainBatch): Promise<void> {
    if (this.#index !== undefined) this.#index = accept(this.#index, blocks)
    if (this.#index === undefined || this.#index.unsettled.size > 0)
      this.#index = mergeReads(this.#index, await this.#readIndex())
    this.isReady = this.#index !== undefined && this.#index.unsettled.size === 0 && this.#tip >= this.#index.sinkScore
  }

  /** Reads from one connection, so that the check of the start block holds for the node that was read. */
  async #readIndex(): Promise<IndexRead | null> {
    const { scope, attempts } = this.context
    const { read } = await attempts.run(async (session) => {
      if (!session.serverInfo.hasUtxoIndex) throw withoutIndex()
      const read = await readIndex(scope, this.start.hash, this.addresses)
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

/** Two reads as one: what either has, unsettled where both say so. A read without the start block changes nothing. */
function mergeReads(before: IndexRead | undefined, read: IndexRead | null): IndexRead | undefined {
  if (before === undefined || read === null) return before ?? read ?? undefined
  return {
    entries: [...before.entries, ...read.entries],
    sinkScore: read.sinkScore,
    unsettled: new Set([...before.unsettled].filter((key) => read.unsettled.has(key))),
  }
}

function accept(read: IndexRead, blocks: readonly ChainBlock[]): IndexRead {
  const accepted = new Set(blocks.flatMap(spentKeys))
  return { ...read, unsettled: new Set([...read.unsettled].filter((key) => !accepted.has(key))) }
}

const spentKeys = ({ transactions }: ChainBlock): readonly OutpointKey[] =>
  transactions.flatMap(({ inputs }) => inputs.map(({ outpoint }) => toOutpointKey(outpoint)))
