import type { NodeNotification } from '../../../node/messages/records.js'
import type { LedgerBlock } from '../block.js'
import { promoteOrphans } from '../mempool/admission.js'
import { findSpentUtxos } from '../mempool/validation.js'
import type { Network } from '../network.js'
import { blockAdded, virtualChanged } from '../records/events.js'

/**
 * Updates virtual and mempool after blocks are inserted into the DAG. Returns the notifications in the node's order.
 * `relayed`: the blocks that did not come in IBD, in which a node leaves its mempool as it is.
 */
export function resolveVirtual(
  network: Network,
  blocks: readonly LedgerBlock[],
  relayed = blocks,
): readonly NodeNotification[] {
  const { state, mempool } = network
  const change = state.update()
  for (const block of relayed) {
    mempool.removeIncluded(block)
    for (const known of block.transactions.slice(1)) promoteOrphans(network, known)
  }
  mempool.included.expire(state.virtual.context.daaScore)
  if (change.removed.length > 0 && relayed.length > 0) removeUnspendable(network)
  return [...blocks.map((block) => blockAdded(state, block)), ...virtualChanged(state, change)]
}

/** After a reorg, removes mempool transactions with missing UTXOs, and their descendants. */
function removeUnspendable(network: Network): void {
  for (const { known } of [...network.mempool.pool.entries()])
    if (findSpentUtxos(network, known) === undefined) network.mempool.pool.removeWithDescendants(known.id)
}
