import type { NodeNotification } from '../../../node/messages/records.js'
import type { ChainChange, ChainState } from '../chain/chain-state.js'
import type { LedgerBlock } from '../block.js'
import { toAddedBlock } from './blocks.js'

/** What listeners are told of a new block, before the chain has taken notice of it. */
export const blockAdded = (state: ChainState, block: LedgerBlock): NodeNotification => ({
  type: 'block-added',
  data: { block: toAddedBlock(state.judge.addresses, block) },
})

/** What listeners are told once virtual has moved, in the node's order. Scores and chain are told even where they stayed. */
export function virtualMoved(state: ChainState, { removed, added, coins }: ChainChange): readonly NodeNotification[] {
  const hasCoins = coins.added.length + coins.removed.length > 0
  return [
    { type: 'new-block-template', data: {} },
    { type: 'sink-blue-score-changed', data: { sinkBlueScore: state.sink.header.blueScore } },
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: state.virtual.context.daaScore } },
    {
      type: 'virtual-chain-changed',
      data: {
        removedChainBlockHashes: removed,
        addedChainBlockHashes: added,
        acceptedTransactionIds: added.map((hash) => acceptedIds(state, hash)),
      },
    },
    ...(hasCoins ? [{ type: 'utxos-changed' as const, data: coins }] : []),
  ]
}

/** What a chain block accepted, in consensus order, the coinbase of its selected parent first. */
export function acceptedIds(
  state: ChainState,
  hash: string,
): { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] } {
  const merged = state.acceptanceOf(hash)?.merged ?? []
  return {
    acceptingBlockHash: hash,
    acceptedTransactionIds: merged.flatMap(({ accepted }) => accepted.map(({ known }) => known.id)),
  }
}
