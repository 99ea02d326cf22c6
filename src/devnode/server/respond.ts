import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { serverError, textError } from '../../wrpc/wire-errors.js'
import type { FaultLayer } from '../faults/faults.js'
import { type CallContext, ok, type Handler, type Handlers, refuse } from './handlers/handler.js'
import type { LedgerMethod, RpcResult } from '../ledger/ledger.js'
import { nodeInfo, metrics } from './handlers/node-info.js'

/** The outcome of a client's frame: a reply, nothing, or the connection is cut. */
type FrameOutcome =
  | { readonly kind: 'reply'; readonly frame: Frame; readonly method: RpcMethod | undefined }
  | { readonly kind: 'ignore' | 'cut' }

const IGNORE: FrameOutcome = { kind: 'ignore' }
/** Cuts the connection, as a node does for everything that is not a request. */
export const CUT: FrameOutcome = { kind: 'cut' }

/** Decodes a frame, executes its call and encodes the reply; handles undecodable frames as a node does. */
export function respond(frame: Frame, codec: WireCodec, faults: FaultLayer, context: CallContext): FrameOutcome {
  const decoded = codec.decodeRequest(frame)
  switch (decoded.kind) {
    case 'fatal':
      return CUT
    case 'ignored':
      return IGNORE
    case 'unserved':
      return reply(codec.encodeError(decoded.id, decoded.method, serverError('not-found')))
    case 'unreadable':
      return reply(codec.encodeError(decoded.id, decoded.method, serverError('unreadable-request')), decoded.method)
    case 'request': {
      const { id, method, request } = decoded
      const decision = faults.call(method)
      if (decision?.kind === 'cut') return CUT
      if (decision?.kind === 'refuse') return reply(codec.encodeError(id, method, decision.error), method)
      return reply(execute(id, method, request, codec, faults, context), method)
    }
  }
}

const reply = (frame: Frame, method?: RpcMethod): FrameOutcome => ({ kind: 'reply', frame, method })

/** An exception in a call becomes an error reply. */
function execute<M extends RpcMethod>(
  id: bigint,
  method: M,
  request: RpcRequest<M>,
  codec: WireCodec,
  faults: FaultLayer,
  context: CallContext,
): Frame {
  try {
    const stub = faults.stub(method)
    if (stub !== undefined) return codec.encodeResponse(id, method, stub)
    const outcome = runMethod(method, request, context)
    if (outcome === 'unserved') return codec.encodeError(id, method, serverError('not-found'))
    if (!outcome.ok) return codec.encodeError(id, method, textError(outcome.message))
    return codec.encodeResponse(id, method, faults.transform(method, outcome.value))
  } catch (cause) {
    return codec.encodeError(id, method, textError(`Devnode failed: ${String(cause)}`))
  }
}

const queryLedger =
  <M extends LedgerMethod>(method: M): Handler<M> =>
  (request, { live }) =>
    live.ledger.call(method, request, live.now())

/** Chain, UTXO, mempool and mining methods: the ledger's queries, and `submitBlock`, which changes it. */
const ledgerMethods = {
  getBlock: queryLedger('getBlock'),
  getBlocks: queryLedger('getBlocks'),
  getBlockCount: queryLedger('getBlockCount'),
  getBlockDagInfo: queryLedger('getBlockDagInfo'),
  getBlockRewardInfo: queryLedger('getBlockRewardInfo'),
  getCurrentBlockColor: queryLedger('getCurrentBlockColor'),
  getDaaScoreTimestampEstimate: queryLedger('getDaaScoreTimestampEstimate'),
  estimateNetworkHashesPerSecond: queryLedger('estimateNetworkHashesPerSecond'),
  getHeaders: queryLedger('getHeaders'),
  getSink: queryLedger('getSink'),
  getSinkBlueScore: queryLedger('getSinkBlueScore'),
  getSubnetwork: queryLedger('getSubnetwork'),
  getVirtualChainFromBlock: queryLedger('getVirtualChainFromBlock'),
  getVirtualChainFromBlockV2: queryLedger('getVirtualChainFromBlockV2'),

  getBalanceByAddress: queryLedger('getBalanceByAddress'),
  getBalancesByAddresses: queryLedger('getBalancesByAddresses'),
  getCoinSupply: queryLedger('getCoinSupply'),
  getUtxosByAddresses: queryLedger('getUtxosByAddresses'),
  getUtxoReturnAddress: queryLedger('getUtxoReturnAddress'),

  getFeeEstimate: queryLedger('getFeeEstimate'),
  getFeeEstimateExperimental: queryLedger('getFeeEstimateExperimental'),
  getMempoolEntries: queryLedger('getMempoolEntries'),
  getMempoolEntriesByAddresses: queryLedger('getMempoolEntriesByAddresses'),
  getMempoolEntry: queryLedger('getMempoolEntry'),
  submitTransaction: queryLedger('submitTransaction'),
  submitTransactionReplacement: queryLedger('submitTransactionReplacement'),

  getBlockTemplate: queryLedger('getBlockTemplate'),
  submitBlock: (request, { live }) => ok(live.apply((ledger, now) => ledger.submitBlock(request, now))),
} as const satisfies Partial<Handlers>

const SAFE_MODE = 'Method unavailable in safe mode. Run the node with --unsaferpc argument.'

/** Refused because the node runs in safe mode. */
const restricted = () => refuse(SAFE_MODE)

/** The operator's methods. This node runs in safe mode and without peers. */
const operator = {
  addPeer: restricted,
  ban: restricted,
  unban: restricted,
  shutdown: restricted,
  resolveFinalityConflict: restricted,
  getConnectedPeerInfo: () => ok({ peerInfo: [] }),
  getPeerAddresses: () => ok({ knownAddresses: [], bannedAddresses: [] }),
} as const satisfies Partial<Handlers>

/** `subscribe` responds with the connection's number; unsubscribing without a subscription is not an error. */
const subscriptionMethods = {
  subscribe({ scope }, { caller }) {
    caller.subscribe(scope)
    return ok({ id: caller.id })
  },
  unsubscribe({ scope }, { caller }) {
    caller.unsubscribe(scope)
    return ok({})
  },
} as const satisfies Partial<Handlers>

/** The handler of each RPC method. A method of the table without a handler does not compile. */
const HANDLERS: Handlers = /*#__PURE__*/ (() => ({
  ...nodeInfo,
  ...metrics,
  ...operator,
  ...subscriptionMethods,
  ...ledgerMethods,
  getSeqCommitLaneProof: 'unserved' as const,
}))()

/** Runs one method. `unserved`: not implemented by this node. */
function runMethod<M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  context: CallContext,
): RpcResult<RpcResponse<M>> | 'unserved' {
  const handler: Handler<M> | 'unserved' = HANDLERS[method]
  return handler === 'unserved' ? handler : handler(request, context)
}
