import type { NodeNotification } from '../../../node/messages/records.js'
import type { ChainChange, ChainState } from '../chain/chain-state.js'
import type { LedgerBlock } from '../block.js'
import { toAddedBlock } from './blocks.js'

/** The notification of a new block, created before the virtual chain is updated. */
export const blockAdded = (state: ChainState, block: LedgerBlock): NodeNotification => ({
  type: 'block-added',
  data: { block: toAddedBlock(state.validation.addresses, block) },
})

/** Notifications after an update of virtual, in the node's order. Scores and chain are sent even when unchanged. */
export function virtualChanged(state: ChainState, { removed, added, utxos }: ChainChange): readonly NodeNotification[] {
  const hasUtxos = utxos.added.length + utxos.removed.length > 0
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
    ...(hasUtxos ? [{ type: 'utxos-changed' as const, data: utxos }] : []),
  ]
}

/** Transactions accepted by a chain block, in consensus order, the coinbase of its selected parent first. */
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
