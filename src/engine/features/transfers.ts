import { createFollowTransfers, type FollowTransfers } from '../../streams/transfers/follow-transfers.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { chain } from './chain.js'

/** Credits and debits of addresses, in batches that carry cursors. */
export const transfers = (core: ChainCore): FollowTransfers =>
  createFollowTransfers({
    ...core,
    connection: core.connection,
    followChain: feature(core, chain).followChain,
    isOwnChange: () => false,
  })
