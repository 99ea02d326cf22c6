import { defer, switchMap } from 'rxjs'
import { deferIteration } from '../../loading/lazy-methods.js'
import { loadCode, onceLoaded } from '../../loading/load-code.js'
import type { ChainBatches$, FollowChain } from '../../streams/chain/follow-chain.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import { type ChainCore, partsOf } from '../core-parts.js'

/** The virtual chain in batches that carry cursors. */
export interface ChainFeature {
  readonly followChain: FollowChain
  readonly chainBatches$: ChainBatches$
}

/** The code is loaded with the first batch. */
export function chain(core: ChainCore): ChainFeature {
  const load = onceLoaded(async () => {
    const { createChainBatches, createFollowChain } = await loadCode(
      () => import('../../streams/chain/follow-chain.js'),
    )
    const followChain = createFollowChain(partsOf(core))
    return { followChain, chainBatches$: createChainBatches(followChain) }
  })
  // the detail decides the type of the transactions
  return {
    followChain: ((options?: FollowChainOptions) =>
      deferIteration(async () => (await load()).followChain(options))) as FollowChain,
    chainBatches$: ((options?: FollowChainOptions) =>
      defer(load).pipe(switchMap(({ chainBatches$ }) => chainBatches$(options)))) as ChainBatches$,
  }
}
