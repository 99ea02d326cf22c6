import type { RpcMethod, RpcRequest } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { serverError, textError } from '../../wrpc/wire-errors.js'
import type { FaultLayer } from '../faults/layer.js'
import type { CallContext } from './handlers/handler.js'
import { runMethod } from './handlers/handlers.js'

/** The outcome of a client's frame: a reply, nothing, or the connection is cut. */
export type FrameOutcome =
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
