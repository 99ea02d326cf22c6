import { createNetwork } from '../../../src/devnode/ledger/create-network.js'
import type { LedgerBlock } from '../../../src/devnode/ledger/block.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { mine } from '../../../src/devnode/ledger/steps/mine.js'
import { toMiner } from '../../../src/devnode/ledger/steps/miner.js'
import { settle } from '../../../src/devnode/ledger/steps/settle.js'
import { NETWORKS } from '../../../src/model/network.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification, NotificationData, NotificationType } from '../../../src/node/messages/records.js'
import { walletOf } from './wallet.js'

/** A simnet in memory, and verbs for what happens on it. */

export const MINER = walletOf(0x66)
const START = 1_795_234_286_708

export const simnet = (coins: readonly UtxoEntry[] = []): Network => createNetwork(NETWORKS.simnet, coins)

/** Mines blocks one after the other on all tips; what listeners hear of all of it. */
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

/** Lets a block of another network arrive. */
export function receive(network: Network, block: LedgerBlock): readonly NodeNotification[] {
  network.state.insert(block)
  return settle(network, [block])
}

/** The blocks of a network's chain, genesis aside. */
export const chainOf = ({ state }: Network): readonly LedgerBlock[] =>
  state.chain.slice(1).map((hash) => state.dag.get(hash))

/** What was told of one kind of event. */
export function told<T extends NotificationType>(
  events: readonly NodeNotification[],
  type: T,
): readonly NotificationData<T>[] {
  return events.flatMap((event) => (event.type === type ? [event.data as NotificationData<T>] : []))
}

export const scoreOf = ({ state }: Network): bigint => state.virtual.context.daaScore

export const waiting = ({ mempool }: Network): readonly string[] =>
  [...mempool.pool.entries()].map(({ known }) => known.id)
