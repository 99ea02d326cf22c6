import { loadCode, onceLoaded } from '../../loading/load-code.js'
import type { PaymentRequests } from '../../streams/requests/requests.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { feature } from '../feature.js'
import { ownChanges } from './own-changes.js'
import { transfers } from './transfers.js'

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
