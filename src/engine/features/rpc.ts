import { withFailedOutcome } from '../../errors/with-outcome.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import { toCall } from '../../operations/queries/call.js'
import { QUERY_NAMES } from '../../operations/queries/names.js'
import type { RpcQueries } from '../../operations/queries/rpc-queries.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { feature } from '../feature.js'
import { sentIds } from './sent-ids.js'

/** Every query of a core's node. Their code is loaded with the first call. */
export function rpc(core: ChainCore): RpcQueries {
  const { call, request, network } = partsOf(core)
  const load = async (): Promise<RpcQueries> => {
    const { createQueries } = await loadCode(() => import('../../operations/queries/queries.js'))
    return createQueries({ call: toCall({ call, request }), network, sentIds: feature(core, sentIds) })
  }
  return lazyMethods(QUERY_NAMES, load, (name, run) =>
    SUBMISSIONS.includes(name) ? withFailedOutcome('unknown', run) : run(),
  )
}

/** An earlier process may have sent their transaction: without their code, too, nothing proves that none has. */
const SUBMISSIONS: readonly string[] = ['submitTransaction', 'submitTransactionReplacement']
