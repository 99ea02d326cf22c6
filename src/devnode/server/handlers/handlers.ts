import type { RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { RpcResult } from '../../ledger/ledger.js'
import { nodeInfo } from './node-info.js'
import { ledgerMethods } from './ledger-methods.js'
import type { CallContext, Handler, Handlers } from './handler.js'
import { metrics } from './metrics.js'
import { operator } from './operator.js'
import { subscriptionMethods } from './subscription-methods.js'

/** The handler of each RPC method. A method of the table without a handler does not compile. */
export const HANDLERS: Handlers = /*#__PURE__*/ (() => ({
  ...nodeInfo,
  ...metrics,
  ...operator,
  ...subscriptionMethods,
  ...ledgerMethods,
  getSeqCommitLaneProof: 'unserved' as const,
}))()

/** Runs one method. `unserved`: not implemented by this node. */
export function runMethod<M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  context: CallContext,
): RpcResult<RpcResponse<M>> | 'unserved' {
  const handler: Handler<M> | 'unserved' = HANDLERS[method]
  return handler === 'unserved' ? handler : handler(request, context)
}
