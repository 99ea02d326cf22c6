import { toCall } from '../../operations/queries/call.js'
import { deferQueries } from '../../operations/queries/deferred.js'
import type { RpcQueries } from '../../operations/queries/rpc-queries.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { feature } from '../feature.js'
import { loadCode } from '../../loading/load-code.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { sentIds } from './sent-ids.js'

/** Every query of a core's node. Their code is loaded with the first call. */
export function rpc(core: ChainCore): RpcQueries {
  const { call, request, network } = partsOf(core)
  const load = onceLoaded(async () => {
    const { createQueries } = await loadCode(() => import('../../operations/queries/queries.js'))
    return createQueries({ call: toCall({ call, request }), network, sentIds: feature(core, sentIds) })
  })
  return deferQueries(load)
}
