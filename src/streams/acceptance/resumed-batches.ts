import { catchError, defer, map, switchMap, type Observable } from 'rxjs'
import type { HistoryGapError } from '../../errors/history-gap.js'
import { entriesOf, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { FollowedBatch } from '../chain/chain-batches.js'
import { iterate, toObservable } from '../chain/follow-chain.js'
import { createFollowScope, type FollowDeps } from '../chain/scope.js'
import type { ChainStart, FollowSettings } from '../chain/settings.js'
import { nextSession$ } from './next-session.js'

export interface ResumedOptions {
  readonly start: ChainStart
  readonly onGapFound: (gap: HistoryGapError) => void
  /** The first chain block notified since the subscription, which began before this code was loaded. */
  readonly firstAdded: () => string | undefined
}

export interface ResumedBatch extends FollowedBatch {
  /** The newest known block before those of the batch. */
  readonly start: LocatorEntry | undefined
}

/**
 * Batches of ids that never end with an error: where the connection failed for good, they continue with the next one
 * from the last cursor. A gap is passed to the current sink.
 */
export const resumedBatches$ = (
  node: FollowDeps,
  { start, onGapFound, firstAdded }: ResumedOptions,
): Observable<ResumedBatch> =>
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
    const batches$: Observable<ResumedBatch> = defer(() =>
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
        return { ...batch, start: blockBefore(batch.blocks[0], locator) }
      }),
      catchError(() => nextSession$(node).pipe(switchMap(() => batches$))),
    )
    return batches$
  })

/** The newest block of a locator below `first`; the tip where nothing was added. */
const blockBefore = (first: LocatorEntry | undefined, locator: ChainLocator): LocatorEntry | undefined =>
  entriesOf(locator).find(({ blueScore }) => first === undefined || blueScore < first.blueScore)
