import { catchError, defer, map, switchMap, type Observable } from 'rxjs'
import type { HistoryGapError } from '../../errors/history-gap.js'
import { entriesOf, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import { iterate, toObservable, type FollowedBatch } from '../chain/follow-chain.js'
import { createFollowScope, type FollowDeps } from '../chain/scope.js'
import type { ChainStart, FollowSettings } from '../chain/options.js'
import { nextSession$ } from './next-session.js'
import type { AcceptanceBatch, AcceptingBlock } from './acceptance.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { FollowedBlock, FollowedTransactions } from '../chain/reduce-chain.js'

export interface ResumedOptions {
  readonly start: ChainStart
  readonly onGapFound: (gap: HistoryGapError) => void
  /** Called with the newest part of the followed chain before a batch is emitted. */
  readonly onChain: (chain: RememberedChain) => void
  /** The first chain block notified since the subscription, which began before this code was loaded. */
  readonly firstAdded: () => string | undefined
}

/**
 * The changes of batches of ids, which never end with an error: where the connection failed for good, they continue
 * with the next one from the last cursor. A gap is passed to the current sink.
 */
export const resumedBatches$ = (
  node: FollowDeps,
  { start, onGapFound, onChain, firstAdded }: ResumedOptions,
): Observable<AcceptanceBatch> =>
  defer(() => {
    const network = node.network()
    const settings = (position: ChainStart): FollowSettings => ({
      start: position,
      network,
      addressOf: () => null, // ids only
      onGapFound,
      minConfirmations: 0n,
      maxBlocks: 100,
      detail: 'ids',
      nodeBehindTimeout: Infinity,
      onGap: 'sink',
      onBehind: 'wait',
      agree: 1,
    })
    let position = start
    let remembered: RememberedChain = []
    const batches$: Observable<AcceptanceBatch> = defer(() =>
      toObservable(() =>
        iterate(
          () => ({ ...createFollowScope(node), firstAdded }),
          () => settings(position),
          (batch) => batch,
        ),
      ),
    ).pipe(
      map((batch) => {
        const { locator } = batch
        position = { type: 'cursor', locator }
        const { chain, changes } = applyBatch(remembered, batch, blockBefore(batch.blocks[0], locator))
        remembered = chain
        onChain(chain)
        return changes
      }),
      catchError(() => nextSession$(node).pipe(switchMap(() => batches$))),
    )
    return batches$
  })

/** The newest block of a locator below `first`; the tip where nothing was added. */
const blockBefore = (first: LocatorEntry | undefined, locator: ChainLocator): LocatorEntry | undefined =>
  entriesOf(locator).find(({ blueScore }) => first === undefined || blueScore < first.blueScore)

interface ScoredBlock extends AcceptingBlock {
  readonly blueScore: bigint
}

/** The newest followed part of the virtual chain, oldest first. */
export type RememberedChain = readonly ScoredBlock[]

/** How many chain blocks are remembered, so that what they accepted is emitted as reverted. */
export const MAX_CHAIN_BLOCKS = 1_000

/**
 * The chain after a batch, and its changes. An empty chain begins with `start`, a block before the batch, of which
 * nothing is emitted.
 */
export function applyBatch(
  chain: RememberedChain,
  { rollback, blocks }: Pick<FollowedBatch, 'rollback' | 'blocks'>,
  start?: LocatorEntry,
): { readonly chain: RememberedChain; readonly changes: AcceptanceBatch } {
  const stays = ({ blueScore }: ScoredBlock): boolean => rollback === null || blueScore <= rollback.blueScore
  const added = blocks.map(toAcceptingBlock)
  const kept = chain.filter(stays)
  const first = start === undefined ? [] : [{ ...start, accepted: NONE }]
  return {
    chain: [...(kept.length > 0 ? kept : first), ...added].slice(-MAX_CHAIN_BLOCKS),
    changes: {
      rollback: rollback && { type: 'rollback', hash: rollback.hash, blueScore: rollback.blueScore },
      removed: chain.filter((block) => !stays(block)).reverse(),
      added,
    },
  }
}

const NONE: TransactionIds = /*#__PURE__*/ new TransactionIds(new Uint8Array())

const toAcceptingBlock = ({ hash, blueScore, transactions }: FollowedBlock<FollowedTransactions>): ScoredBlock => ({
  hash,
  blueScore,
  accepted:
    transactions instanceof TransactionIds ? transactions : new TransactionIds(transactions.map(({ id }) => id)),
})
