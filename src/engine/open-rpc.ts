import { toCall } from '../operations/queries/call.js'
import { createQueries } from '../operations/queries/queries.js'
import type { RpcQueries } from '../operations/queries/rpc-queries.js'
import { type ChainCore, partsOf, feature } from './core-parts.js'
import { sentIds } from './features/own-payments.js'

/**
 * What calls of a node need: its queries and the methods that subscribe. Loaded by one import: two would make two
 * chunks, and another one of what they share.
 */
export { createSubscriptionMethods } from '../streams/subscription-methods.js'

/** The queries of a core's node, with what they need beyond its connection. */
export function openQueries(core: ChainCore): RpcQueries {
  const { call, request, network } = partsOf(core)
  return createQueries({ call: toCall({ call, request }), network, sentIds: feature(core, sentIds) })
}
