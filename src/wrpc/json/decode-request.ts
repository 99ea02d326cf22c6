import { isRpcMethod, methodEntry, unservedByOp } from '../../node/messages/lookup.js'
import type { RpcMethod } from '../../node/messages/records.js'
import type { DecodedRequest, Frame, RequestOf } from '../codec.js'
import { attempt } from '../malformed.js'
import { openEnvelope, type Envelope } from './envelope.js'
import type { ReaderOf } from './read.js'

/** Makes the reader of requests: as strict as a node, which looks at the content and not at the kind of message. */
export function createRequestReader(readerOf: ReaderOf): (frame: Frame) => DecodedRequest {
  const unserved = new Set<unknown>(unservedByOp().values())
  const readParams = (params: unknown, id: bigint, method: RpcMethod): DecodedRequest => {
    const request = attempt(() => readerOf(methodEntry(method).request)(params))
    return 'malformed' in request
      ? { kind: 'unreadable', id, method, reason: request.malformed.message }
      : ({ kind: 'request', id, method, request: request.value } as RequestOf<RpcMethod>)
  }
  return (frame) => {
    const opened = attempt(() => openEnvelope(frame))
    if ('malformed' in opened) return { kind: 'fatal', reason: opened.malformed.message }
    const { id, content } = opened.value
    const { method, params } = requestParts(opened.value)
    if (params === undefined) return { kind: 'fatal', reason: 'There are no params' }
    if (!isRpcMethod(method) && !unserved.has(method)) return { kind: 'fatal', reason: 'The method is unknown' }
    if (id === undefined) return { kind: 'ignored' }
    if (!isRpcMethod(method)) return { kind: 'unserved', id, method: String(content.method) }
    return readParams(params, id, method)
  }
}

const requestParts = ({ content }: Envelope): { readonly method: unknown; readonly params: unknown } => ({
  method: content.method,
  params: content.params,
})
