import type { NodeNotification } from '../../../node/messages/records.js'
import type { LedgerBlock, Miner } from '../block.js'
import type { Network } from '../network.js'
import { selectTransactions } from '../mempool/selection.js'
import type { KnownTransaction } from '../transaction.js'
import { assemble } from './build.js'
import { settle } from './settle.js'

export interface MinePlan {
  readonly miner: Miner
  /** Unix milliseconds. */
  readonly now: number
  readonly count: number
  readonly parallel: number
}

export interface Mined {
  readonly hashes: readonly string[]
  readonly events: readonly NodeNotification[]
}

/** Mines step by step; blocks of one step do not know each other, and hold the same of the mempool. */
export function mine(network: Network, { miner, now, count, parallel }: MinePlan): Mined {
  const steps = Array.from({ length: count }, () => {
    const { state } = network
    const place = state.virtual
    const transactions = selectTransactions(network)
    const blocks = Array.from({ length: parallel }, (_, index) =>
      assemble(state, place, { transactions, miner, timestamp: now, nonce: BigInt(index) }),
    )
    return blocks.map((block) => ({ hash: block.hash, events: addMined(network, block, place.acceptance) }))
  }).flat()
  return { hashes: steps.map(({ hash }) => hash), events: steps.flatMap(({ events }) => events) }
}

/** Mines one block on virtual with exactly these transactions, whatever the mempool holds. */
export function mineOne(
  network: Network,
  assembly: {
    readonly transactions: readonly KnownTransaction[]
    readonly miner: Miner
    readonly timestamp: number
    readonly subsidy?: bigint
  },
): { readonly block: LedgerBlock; readonly events: readonly NodeNotification[] } {
  const place = network.state.virtual
  const block = assemble(network.state, place, assembly)
  return { block, events: addMined(network, block, place.acceptance) }
}

function addMined(
  network: Network,
  block: LedgerBlock,
  acceptance: Network['state']['virtual']['acceptance'],
): readonly NodeNotification[] {
  network.state.insertMined(block, acceptance)
  return settle(network, [block])
}
