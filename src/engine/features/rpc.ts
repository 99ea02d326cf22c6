import { toCall } from '../../operations/queries/call.js'
import { createQueries } from '../../operations/queries/queries.js'
import type { RpcQueries } from '../../operations/queries/rpc-queries.js'
import type { ChainCore } from '../core.js'

/** Every query of a core's node. */
export const rpc = ({ call, network }: ChainCore): RpcQueries => createQueries({ call: toCall(call), network })
