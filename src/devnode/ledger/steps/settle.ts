import type { NodeNotification } from '../../../node/messages/records.js'
import type { LedgerBlock } from '../block.js'
import { adoptOrphans } from '../mempool/admission.js'
import { findSpent } from '../mempool/spent.js'
import type { Network } from '../network.js'
import { blockAdded, virtualMoved } from '../records/events.js'

/** What follows once blocks have joined the DAG: the chain takes notice, the mempool forgets; listeners are told in this order. */
export function settle(network: Network, blocks: readonly LedgerBlock[]): readonly NodeNotification[] {
  const { state, mempool } = network
  const change = state.update()
  for (const block of blocks) {
    mempool.forgetIncluded(block)
    for (const known of block.transactions.slice(1)) adoptOrphans(network, known)
  }
  mempool.included.expire(state.virtual.context.daaScore)
  if (change.removed.length > 0) dropHopeless(network)
  return [...blocks.map((block) => blockAdded(state, block)), ...virtualMoved(state, change)]
}

/** After a reorg, transactions whose coins are gone for good leave the mempool, with all that spend from them. */
function dropHopeless(network: Network): void {
  for (const { known } of [...network.mempool.pool.entries()])
    if (findSpent(network, known) === undefined) network.mempool.pool.removeWithDescendants(known.id)
}
