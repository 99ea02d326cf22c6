import { createNetwork } from '../../../src/devnode/ledger/create-network.js'
import type { LedgerBlock } from '../../../src/devnode/ledger/block.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { mine, toMiner, resolveVirtual } from '../../../src/devnode/ledger/steps/mine.js'
import { NETWORKS } from '../../../src/model/network.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification, NotificationData, NotificationType } from '../../../src/node/messages/records.js'
import { walletOf } from './wallet.js'

/** Test harness: a simnet in memory. */

export const MINER = walletOf(0x66)
const START = 1_795_234_286_708

export const simnet = (utxos: readonly UtxoEntry[] = []): Network => createNetwork(NETWORKS.simnet, utxos)

/** Mines consecutive blocks on all tips; returns the notifications. */
export function mineOn(network: Network, count = 1, address = MINER.address): readonly NodeNotification[] {
  return mineParallel(network, 1, count, address)
}

export function mineParallel(
  network: Network,
  parallel: number,
  count = 1,
  address = MINER.address,
): readonly NodeNotification[] {
  const now = START + 100 * network.state.dag.size
  return mine(network, { miner: toMiner(address, '2.1.0'), now, count, parallel }).events
}

/** Adds a block of another network. */
export function receive(network: Network, block: LedgerBlock): readonly NodeNotification[] {
  network.state.insert(block)
  return resolveVirtual(network, [block])
}

/** Chain blocks without genesis. */
export const chainOf = ({ state }: Network): readonly LedgerBlock[] =>
  state.chain.slice(1).map((hash) => state.dag.get(hash))

export function notificationsOf<T extends NotificationType>(
  events: readonly NodeNotification[],
  type: T,
): readonly NotificationData<T>[] {
  return events.flatMap((event) => (event.type === type ? [event.data as NotificationData<T>] : []))
}

export const scoreOf = ({ state }: Network): bigint => state.virtual.context.daaScore

export const mempoolIds = ({ mempool }: Network): readonly string[] =>
  [...mempool.pool.entries()].map(({ known }) => known.id)
