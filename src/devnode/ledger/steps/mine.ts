import type { NodeNotification } from '../../../node/messages/records.js'
import type { LedgerBlock, Miner } from '../block.js'
import type { Network } from '../network.js'
import { selectTransactions } from '../mempool/selection.js'
import type { KnownTransaction } from '../transaction.js'
import { assemble } from './assemble.js'
import { resolveVirtual } from './resolve-virtual.js'

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

/** Mines `count` rounds of `parallel` blocks. Blocks of one round share parents and mempool transactions. */
export function mine(network: Network, { miner, now, count, parallel }: MinePlan): Mined {
  const mined = Array.from({ length: count }, () => {
    const { state } = network
    const { virtual } = state
    const transactions = selectTransactions(network)
    const blocks = Array.from({ length: parallel }, (_, index) =>
      assemble(state, virtual, { transactions, miner, timestamp: now, nonce: BigInt(index) }),
    )
    return blocks.map((block) => ({ hash: block.hash, events: addMined(network, block, virtual.acceptance) }))
  }).flat()
  return { hashes: mined.map(({ hash }) => hash), events: mined.flatMap(({ events }) => events) }
}

/** Mines one block on virtual with exactly these transactions, mempool ignored. */
export function mineOne(
  network: Network,
  assembly: {
    readonly transactions: readonly KnownTransaction[]
    readonly miner: Miner
    readonly timestamp: number
    readonly subsidy?: bigint
  },
): { readonly block: LedgerBlock; readonly events: readonly NodeNotification[] } {
  const { virtual } = network.state
  const block = assemble(network.state, virtual, assembly)
  return { block, events: addMined(network, block, virtual.acceptance) }
}

function addMined(
  network: Network,
  block: LedgerBlock,
  acceptance: Network['state']['virtual']['acceptance'],
): readonly NodeNotification[] {
  network.state.insertMined(block, acceptance)
  return resolveVirtual(network, [block])
}
