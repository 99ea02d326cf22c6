import { isRpcMethod, methodEntry, unservedByOp } from '../../node/messages/lookup.js'
import type { RpcMethod } from '../../node/messages/records.js'
import type { DecodedRequest, Frame, RequestOf } from '../codec.js'
import { attempt } from '../malformed.js'
import { openEnvelope } from './envelope.js'
import type { ReaderOf } from './read.js'

/** Creates the request decoder. As strict as a node, which accepts text and binary messages alike. */
export function createRequestReader(readerOf: ReaderOf): (frame: Frame) => DecodedRequest {
  const unserved = new Set<unknown>(unservedByOp().values())
  return (frame) => {
    const opened = attempt(() => openEnvelope(frame))
    if ('malformed' in opened) return { kind: 'fatal', reason: opened.malformed.message }
    const { id, content } = opened.value
    const { method, params } = content
    if (params === undefined) return { kind: 'fatal', reason: 'params is missing' }
    if (!isRpcMethod(method) && !unserved.has(method)) return { kind: 'fatal', reason: 'Unknown method' }
    if (id === undefined) return { kind: 'ignored' }
    return isRpcMethod(method)
      ? readParams(id, method, params, readerOf)
      : { kind: 'unserved', id, method: String(method) }
  }
}

function readParams(id: bigint, method: RpcMethod, params: unknown, readerOf: ReaderOf): DecodedRequest {
  const request = attempt(() => readerOf(methodEntry(method).request)(params))
  if ('malformed' in request) return { kind: 'unreadable', id, method, reason: request.malformed.message }
  return { kind: 'request', id, method, request: request.value } as RequestOf<RpcMethod>
}
