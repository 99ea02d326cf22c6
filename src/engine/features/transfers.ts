import { deferIteration } from '../../loading/lazy-methods.js'
import { loadCode, onceLoaded } from '../../loading/load-code.js'
import type { FollowTransfers, FollowTransfersOptions } from '../../streams/transfers/follow-transfers.js'
import { keepChanges, isWatchedAddresses } from '../../streams/transfers/watched-addresses.js'
import { type ChainCore, partsOf, feature } from '../core-parts.js'
import { ownChanges } from './own-payments.js'
import type { PaymentRequests } from '../../streams/requests/requests.js'

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

/** Payment requests. Their code is loaded with the first one. */
export function requests(core: ChainCore): PaymentRequests {
  const parts = partsOf(core)
  const load = onceLoaded(async () => {
    const { createRequests } = await loadCode(() => import('../../streams/requests/create-requests.js'))
    return createRequests({
      ...parts,
      followTransfers: feature(core, transfers),
      isOwnChange: feature(core, ownChanges).isChange,
    })
  })
  return { create: async (request) => (await load()).create(request) }
}
