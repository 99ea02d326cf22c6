import { Observable } from 'rxjs'
import { encodeCursor } from '../../model/chain-cursor/encode-cursor.js'
import type { ChainNetwork } from '../../model/network.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type {
  ChainBatch,
  ChainBlock,
  ChainContractTransaction,
  ChainTransaction,
  ChainTransactionId,
  LocatedBatch,
} from './batch.js'
import { toIterator } from './iteration.js'
import { type FollowChainOptions, toFollowSettings, type FollowSettings } from './options.js'
import { type FollowedTransactions, takeStep, type ChainStep } from './reduce-chain.js'
import { aborted } from './endings.js'
import { createFollowScope, type FollowDeps, type FollowScope } from './scope.js'
import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import { createChainReader } from './chain-reader.js'

/** For what is read before the chain is followed, in the same part of the code. */
export { readConnected } from './endings.js'

/** Batches of the virtual chain, pulled one by one. `return()` and `signal` release everything at once. */
export type ChainBatches<Block = ChainBlock> = AsyncIterableIterator<ChainBatch<Block>, undefined, undefined>

/**
 * Follows the virtual chain in batches, across reconnects, node switches and restarts of the process: each block once,
 * after a rollback of what a reorg removed. The next page is requested when the consumer calls `next()`, and at
 * most one is held. `next()` waits while there is no connection and while there is nothing new. It rejects with
 * `ChainError`: `invalid-argument` (nothing is sent), `history-gap`, `aborted`, `disposed`; with `ChainRpcError`:
 * `node-behind`, `unsupported`, and the error of the connection in its state `error`.
 */
export interface FollowChain {
  (options: FollowChainOptions & { readonly detail: 'ids' }): ChainBatches<ChainBlock<ChainTransactionId>>
  (options: FollowChainOptions & { readonly detail: 'contracts' }): ChainBatches<ChainBlock<ChainContractTransaction>>
  (options?: FollowChainOptions): ChainBatches
}

/**
 * The same batches as an observable. Cold: each subscription iterates on its own. It buffers nothing, but pulls as fast
 * as batches arrive: for user interfaces, and for consumers that finish a batch before they return. Errors where
 * `next()` rejects.
 */
export interface ChainBatches$ {
  (options: FollowChainOptions & { readonly detail: 'ids' }): Observable<ChainBatch<ChainBlock<ChainTransactionId>>>
  (
    options: FollowChainOptions & { readonly detail: 'contracts' },
  ): Observable<ChainBatch<ChainBlock<ChainContractTransaction>>>
  (options?: FollowChainOptions): Observable<ChainBatch>
}

/** The same batches with their positions, for a module that encodes them with what it adds. */
export type LocatedBatches = AsyncIterableIterator<LocatedBatch, undefined, undefined>

type AnyBlock = ChainBlock<ChainTransaction | ChainTransactionId>

export const createFollowChain = (node: FollowDeps): FollowChain =>
  // the detail decides the type of the transactions
  // oxlint-disable-next-line typescript/no-useless-default-assignment -- callers may leave it out
  ((options: FollowChainOptions = {}) => follow(node, options, toBatch)) as FollowChain

/** As `followChain` with whole transactions, before cursors are encoded. */
export const followLocated = (
  node: FollowDeps,
  options: FollowChainOptions & { readonly detail?: 'full' | 'contracts' },
): LocatedBatches => follow(node, options, toLocated) as LocatedBatches // as above

const follow = <Batch>(
  node: FollowDeps,
  options: FollowChainOptions,
  convert: (batch: FollowedBatch, network: ChainNetwork) => Batch,
): AsyncIterableIterator<Batch, undefined, undefined> =>
  iterate(
    () => createFollowScope(node, options.signal),
    () => toFollowSettings(options, node.network(), node.target().urls),
    convert,
  )

export const createChainBatches = (followChain: FollowChain): ChainBatches$ =>
  ((options?: FollowChainOptions) => toObservable(() => followChain(options))) as ChainBatches$ // as above

const toLocated = ({ locator, rollback, blocks, isLive }: FollowedBatch): LocatedBatch<AnyBlock> => ({
  rollback,
  blocks: blocks.map((block) => ({ ...block, transactions: toTransactions(block.transactions) })),
  isLive,
  locator,
})

/** A batch with its cursor. */
function toBatch(followed: FollowedBatch, network: ChainNetwork): ChainBatch<AnyBlock> {
  const { locator, ...batch } = toLocated(followed)
  return { ...batch, cursor: encodeCursor(locator, network) }
}

const toTransactions = (
  transactions: FollowedTransactions,
): readonly ChainTransaction[] | readonly ChainTransactionId[] =>
  transactions instanceof TransactionIds ? transactions.toStrings().map((id) => ({ id })) : transactions

/** One iteration, which converts each batch. Opens nothing before the first `next()`. */
export const iterate = <Batch>(
  openScope: () => FollowScope,
  toSettings: () => FollowSettings,
  convert: (batch: FollowedBatch, network: ChainNetwork) => Batch,
): AsyncIterableIterator<Batch, undefined, undefined> =>
  toIterator(() => {
    const settings = toSettings()
    const scope = openScope()
    return { batches: convertedBatches(scope, settings, convert), end: (reason) => scope.end(aborted(reason)) }
  })

async function* convertedBatches<Batch>(
  scope: FollowScope,
  settings: FollowSettings,
  convert: (batch: FollowedBatch, network: ChainNetwork) => Batch,
): AsyncGenerator<Batch, undefined, undefined> {
  for await (const batch of chainBatches(scope, settings)) yield convert(batch, settings.network)
  return undefined
}

/** Pulls the batches of an iteration one by one. Unsubscribing ends it. */
export const toObservable = <T>(open: () => AsyncIterableIterator<T, undefined, undefined>): Observable<T> =>
  new Observable((subscriber) => {
    const batches = open()
    const pull = async (): Promise<void> => {
      while (!subscriber.closed) {
        const { value, done } = await batches.next()
        if (done === true) {
          subscriber.complete()
          return
        }
        subscriber.next(value)
      }
    }
    pull().catch((error: unknown) => subscriber.error(error))
    return () => void batches.return?.()
  })

/** A batch as it is followed, with its position. */
export interface FollowedBatch extends ChainStep<FollowedTransactions> {
  readonly locator: ChainLocator
}

/**
 * The batches of one iteration. Reads a page when the last one was taken, so that a slow consumer bounds what is read
 * and held.
 */
async function* chainBatches(
  scope: FollowScope,
  settings: FollowSettings,
): AsyncGenerator<FollowedBatch, undefined, undefined> {
  const reader = createChainReader(scope, settings)
  let state = await reader.start()
  for (;;) {
    scope.throwIfEnded()
    const taken = takeStep(state, settings.maxBlocks)
    state = taken?.state ?? (await reader.next(state))
    if (taken !== null) yield { ...taken.step, locator: state.locator }
  }
}
