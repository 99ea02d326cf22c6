import { toOutpointKey, type UtxoEntry } from '../model/utxo.js'
import { chainableChange, changeOf } from '../streams/payouts/change-chains.js'
import type { QueueCounters } from './metrics.js'
import type { CheckedOptions } from './options.js'
import type { Funds } from './plan-batch.js'
import type { QueueNode } from './queue-node.js'
import type { WorkingRows } from './working-rows.js'

export interface FundsContext {
  readonly node: QueueNode
  readonly rows: WorkingRows
  readonly options: CheckedOptions
  readonly counters: QueueCounters
  readonly signal: AbortSignal
}

/** The UTXOs that a turn may spend. Rejects as calls to the node and the journal do. */
export async function readFunds({ node, rows, options, counters, signal }: FundsContext): Promise<Funds> {
  const { free, unconfirmed, counts } = await node.freeEntries(rows.session, signal)
  counters.utxos = counts
  const { groups, claims } = rows
  const change = groups
    .flatMap(({ attempts }) => attempts.slice(-1).flatMap(changeOf))
    .filter(({ outpoint }) => !claims.has(toOutpointKey(outpoint)))
  const chained = chainableChange(groups, claims, options.batch.chainDepth)
  const later = unconfirmed + sumOf(change) - sumOf(chained.map(({ entry }) => entry))
  return { free, chained, others: free.length + change.length, later }
}

const sumOf = (entries: readonly UtxoEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)
