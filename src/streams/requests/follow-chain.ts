import { defer, filter, map, race, retry, skip, tap, timer, type Observable } from 'rxjs'
import { isHistoryGap } from '../../errors/history-gap.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import { toObservable } from '../chain/follow-chain.js'
import type { NodeLink } from '../session/node-link.js'
import type { FollowTransfers } from '../transfers/follow-transfers.js'
import type { TransferBatch } from '../transfers/transfer.js'
import type { WatchedAddresses } from '../transfers/watched-addresses.js'

export interface FollowChainDeps extends Pick<NodeLink, 'platform' | 'session$'> {
  readonly followTransfers: FollowTransfers
}

/** A batch of transfers with the blue score of its last block. */
export interface TransferStep extends TransferBatch {
  readonly tip: bigint
}

/** Ms after which the chain is followed again, where no connection is made before. */
const RETRY_AFTER = 5_000

/**
 * The transfers of watched addresses. `counted` has those whose opening credits were in a batch so far. Never errors:
 * after a failure the chain is followed from its last position, or, where the node does not have that any more, from
 * the sink with opening credits.
 */
export const followTransfers$ = (
  { followTransfers, platform, session$ }: FollowChainDeps,
  { watched, counted, onFailure }: FollowedSet,
): Observable<TransferStep> => {
  let cursor: string | undefined
  return defer(() => {
    if (cursor === undefined) for (const address of watched) counted.add(address)
    const options = cursor === undefined ? {} : { cursor, counted: [...counted] }
    return toObservable(() => followTransfers({ addresses: watched, ...options }))
  }).pipe(
    tap((batch) => {
      cursor = batch.cursor
      for (const address of batch.added) counted.add(address)
    }),
    map((batch) => ({ ...batch, tip: tipScoreOf(batch.cursor) })),
    retry({
      delay: (error: unknown) => {
        if (isHistoryGap(error)) cursor = undefined
        onFailure()
        return race(timer(RETRY_AFTER, platform.scheduler), session$.pipe(skip(1), filter(isConnected)))
      },
    }),
  )
}

const isConnected = (session: unknown): boolean => session !== null

export interface FollowedSet {
  readonly watched: WatchedAddresses
  readonly counted: Set<string>
  readonly onFailure: () => void
}
