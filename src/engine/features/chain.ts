import {
  createChainBatches,
  createFollowChain,
  type ChainBatches$,
  type FollowChain,
} from '../../streams/chain/follow-chain.js'
import type { ChainCore } from '../core.js'

/** The virtual chain in batches that carry cursors. */
export interface ChainFeature {
  readonly followChain: FollowChain
  readonly chainBatches$: ChainBatches$
}

export function chain(core: ChainCore): ChainFeature {
  const followChain = createFollowChain(core)
  return { followChain, chainBatches$: createChainBatches(followChain) }
}
