import { deferIteration } from '../../loading/lazy-methods.js'
import { loadCode, onceLoaded } from '../../loading/load-code.js'
import type { FollowTransfers, FollowTransfersOptions } from '../../streams/transfers/follow-transfers.js'
import { keepChanges, isWatchedAddresses } from '../../streams/transfers/watched-addresses.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { feature } from '../feature.js'
import { ownChanges } from './own-changes.js'

/** Credits and debits of addresses, in batches that carry cursors. The code is loaded with the first batch. */
export function transfers(core: ChainCore): FollowTransfers {
  const parts = partsOf(core)
  const load = onceLoaded(async () => {
    const { createFollowTransfers } = await loadCode(() => import('../../streams/transfers/follow-transfers.js'))
    return createFollowTransfers({
      ...parts,
      isOwnChange: feature(core, ownChanges).isChange,
    })
  })
  return (options) =>
    deferIteration(async () => {
      const kept = keepEarlyChanges(options)
      return (await load())(kept)
    })
}

/** Invalid options are left to the code that checks them. */
function keepEarlyChanges(options: FollowTransfersOptions): FollowTransfersOptions {
  const { addresses } = options
  return isWatchedAddresses(addresses) ? { ...options, addresses: keepChanges(addresses) } : options
}
