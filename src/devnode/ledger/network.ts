import type { ChainState } from './chain/chain-state.js'
import type { Mempool } from './mempool/mempool.js'
import type { InclusionContext } from './rules/spending.js'

/** A simulated network: the state of its blocks, and its mempool. */
export interface Network {
  readonly state: ChainState
  readonly mempool: Mempool
}

/** The inclusion context of the next block. */
export const inclusionContextOf = ({ state }: Network): InclusionContext => ({
  ...state.virtual.context,
  coinbaseMaturity: state.validation.coinbaseMaturity,
})
