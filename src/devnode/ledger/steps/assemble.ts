import type { ChainNetwork } from '../../../model/network.js'
import type { LedgerBlock, Miner } from '../block.js'
import type { ChainState } from '../chain/chain-state.js'
import type { Virtual } from '../chain/virtual.js'
import { createBlock } from '../chain/create-block.js'
import { parentsByLevel } from '../chain/parents-by-level.js'
import { SUBSIDIES } from '../params.js'
import type { KnownTransaction } from '../transaction.js'

export interface Assembly {
  /** Without the coinbase. */
  readonly transactions: readonly KnownTransaction[]
  readonly miner: Miner
  /** Unix milliseconds. */
  readonly timestamp: number
  /** @default 0n */
  readonly nonce?: bigint
  /** Sompi. @default the subsidy of the network */
  readonly subsidy?: bigint
}

/** Builds a block with the parents of the given virtual. */
export function assemble(state: ChainState, { context, acceptance }: Virtual, assembly: Assembly): LedgerBlock {
  const { dag, network } = state
  const { timestamp, nonce = 0n, subsidy = subsidyOf(network) } = assembly
  const { bits } = dag.get(dag.genesis).header
  return createBlock({
    ...assembly,
    context,
    acceptance,
    parentsByLevel: parentsByLevel(dag, context.parents),
    subsidy,
    nonce,
    timestamp: BigInt(timestamp),
    bits,
    pruningPoint: dag.genesis,
  })
}

const subsidyOf = (network: ChainNetwork): bigint => SUBSIDIES[network]
