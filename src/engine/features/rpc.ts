import { toCall } from '../../operations/queries/call.js'
import { deferQueries } from '../../operations/queries/deferred.js'
import type { RpcQueries } from '../../operations/queries/rpc-queries.js'
import type { ChainCore } from '../core.js'
import { loadCode } from '../../loading/load-code.js'
import { onceLoaded } from '../../loading/once-loaded.js'

/** Every query of a core's node. Their code is loaded with the first call. */
export function rpc({ call, request, network }: ChainCore): RpcQueries {
  const load = onceLoaded(async () => {
    const { createQueries } = await loadCode(() => import('../../operations/queries/queries.js'))
    return createQueries({ call: toCall({ call, request }), network })
  })
  return deferQueries(load)
}
