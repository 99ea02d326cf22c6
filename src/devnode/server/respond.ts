import type { RpcMethod, RpcRequest } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { serverError, textError } from '../../wrpc/wire-error.js'
import type { FaultLayer } from '../faults/layer.js'
import type { CallContext } from './handlers/handler.js'
import { runMethod } from './handlers/handlers.js'

/** What a node does upon a client's frame: it answers, says nothing, or drops the connection. */
export type Reaction =
  | { readonly kind: 'answer'; readonly frame: Frame; readonly method: RpcMethod | undefined }
  | { readonly kind: 'silence' | 'cut' }

const SILENCE: Reaction = { kind: 'silence' }
/** The connection is dropped, as upon everything that is no request. */
export const CUT: Reaction = { kind: 'cut' }

/** Reads a frame, executes what it asks, and writes the answer, with a node's own manners towards what it cannot read. */
export function respond(frame: Frame, codec: WireCodec, faults: FaultLayer, context: CallContext): Reaction {
  const decoded = codec.decodeRequest(frame)
  switch (decoded.kind) {
    case 'fatal':
      return CUT
    case 'ignored':
      return SILENCE
    case 'unserved':
      return answer(codec.encodeError(decoded.id, decoded.method, serverError('not-found')))
    case 'unreadable':
      return answer(codec.encodeError(decoded.id, decoded.method, serverError('unreadable-request')), decoded.method)
    case 'request': {
      const { id, method, request } = decoded
      const fate = faults.call(method)
      if (fate?.kind === 'cut') return CUT
      if (fate?.kind === 'refuse') return answer(codec.encodeError(id, method, fate.error), method)
      return answer(execute(id, method, request, codec, faults, context), method)
    }
  }
}

const answer = (frame: Frame, method?: RpcMethod): Reaction => ({ kind: 'answer', frame, method })

/** A devnode that fails in a call says so to its client and lives on. */
function execute<M extends RpcMethod>(
  id: bigint,
  method: M,
  request: RpcRequest<M>,
  codec: WireCodec,
  faults: FaultLayer,
  context: CallContext,
): Frame {
  try {
    const excuse = faults.instead(method)
    if (excuse !== undefined) return codec.encodeResponse(id, method, excuse)
    const outcome = runMethod(method, request, context)
    if (outcome === 'unserved') return codec.encodeError(id, method, serverError('not-found'))
    if (!outcome.ok) return codec.encodeError(id, method, textError(outcome.message))
    return codec.encodeResponse(id, method, faults.answer(method, outcome.value))
  } catch (cause) {
    return codec.encodeError(id, method, textError(`Devnode failed: ${String(cause)}`))
  }
}
