import { catchError, defer, map, switchMap, type Observable } from 'rxjs'
import type { HistoryGapError } from '../../errors/history-gap.js'
import { entriesOf, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import { iterate, toObservable } from '../chain/follow-chain.js'
import { createFollowScope, type FollowDeps } from '../chain/scope.js'
import type { ChainStart, FollowSettings } from '../chain/settings.js'
import { nextSession$ } from './next-session.js'
import { applyBatch, type RememberedChain } from './remembered-chain.js'
import type { AcceptanceBatch } from './change.js'

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
