import type { ChainState } from './chain/chain-state.js'
import type { Mempool } from './mempool/mempool.js'
import type { PointOfView } from './rules/spending.js'

/** A whole simulated network: what its blocks hold, and what waits for one. */
export interface Network {
  readonly state: ChainState
  readonly mempool: Mempool
}

/** From where a transaction is judged that the next block is to hold. */
export const viewOf = ({ state }: Network): PointOfView => ({
  ...state.virtual.context,
  coinbaseMaturity: state.judge.coinbaseMaturity,
})
