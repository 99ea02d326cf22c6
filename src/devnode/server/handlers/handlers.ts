import type { RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { Answer } from '../../ledger/ledger.js'
import { aboutNode } from './about-node.js'
import { fromLedger } from './from-ledger.js'
import type { CallContext, Handler, Handlers } from './handler.js'
import { metrics } from './metrics.js'
import { operator } from './operator.js'
import { subscribing } from './subscribing.js'

/** How each method of the node is answered. A method of the table without an entry does not compile. */
export const HANDLERS: Handlers = {
  ...aboutNode,
  ...metrics,
  ...operator,
  ...subscribing,
  ...fromLedger,
  getSeqCommitLaneProof: 'unserved',
}

/** Runs one method. `unserved`: this node does not mean it. */
export function runMethod<M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  context: CallContext,
): Answer<RpcResponse<M>> | 'unserved' {
  const handler: Handler<M> | 'unserved' = HANDLERS[method]
  return handler === 'unserved' ? handler : handler(request, context)
}
