import { historyGap, type HistoryGap } from '../../errors/history-gap.js'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import { encodeCursor } from '../../model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../../model/chain-cursor/locator.js'
import { readBlock, type ChainHeader } from './header.js'
import { continueAt, type ChainState } from './reduce-chain.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'

/** A position that the node does not have, and its error. */
export interface MissingPosition {
  readonly from: HistoryGap['from']
  readonly cause: ChainRpcError
  readonly sink: ChainHeader
}

/** Rejects with `history-gap`, or continues behind the gap, as the settings say. */
export async function passGap<Transactions>(
  scope: FollowScope,
  { from, cause, sink }: MissingPosition,
  { onGap, onGapFound, network }: FollowSettings,
): Promise<ChainState<Transactions>> {
  const to = onGap === 'sink' ? sink : await readPruningPoint(scope)
  const reason = isPruned(cause) ? 'pruned' : 'unknown-history'
  const error = historyGap(
    {
      from,
      to: { hash: to.hash, blueScore: to.blueScore },
      reason,
      resumeCursor: encodeCursor(locatorAt(to), network),
    },
    cause,
  )
  if (onGap === 'reject') throw error
  onGapFound?.(error)
  return continueAt(to)
}

/** The error of a node that had the block and has deleted what belongs to it. */
export const isPruned = ({ details }: ChainRpcError): boolean => /retention root|source on its chain/i.test(details)

/** The oldest block from which the node can serve the chain. */
export async function readPruningPoint(scope: FollowScope): Promise<ChainHeader> {
  const { pruningPointHash } = await scope.call('getBlockDagInfo', {})
  return readBlock(scope, pruningPointHash)
}
