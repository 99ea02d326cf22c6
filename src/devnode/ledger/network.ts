import type { ChainState } from './chain/chain-state.js'
import type { Mempool } from './mempool/mempool.js'
import type { Refusals } from './mempool/refusals.js'
import type { Retention } from './retention.js'
import type { InclusionContext } from './rules/spending.js'

/** A simulated network: the state of its blocks, its mempool, and what its node has kept after pruning. */
export interface Network {
  readonly state: ChainState
  readonly mempool: Mempool
  readonly retention: Retention
  /** The transactions that were refused for a script. */
  readonly refusals: Refusals
}

/** The inclusion context of the next block. */
export const inclusionContextOf = ({ state }: Network): InclusionContext => ({
  ...state.virtual.context,
  coinbaseMaturity: state.validation.coinbaseMaturity,
})
