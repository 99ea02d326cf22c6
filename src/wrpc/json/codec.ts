import {
  methodEntry,
  notificationEntry,
  notificationOp,
  isRpcMethod,
  unservedByOp,
} from '../../node/messages/lookup.js'
import type { WireCodec, DecodedRequest, Frame, RequestOf } from '../codec.js'
import { type WireError, attempt } from '../wire-errors.js'
import { createJsonClientCodec } from './client-codec.js'
import { writeEnvelope, openEnvelope } from './message-text.js'
import { createReaders, type ReaderOf } from './read.js'
import { createWriters } from './write.js'
import type { RpcMethod } from '../../node/messages/records.js'

/** The JSON codec of the wire protocol, with the half of a node. */
export function createJsonCodec(): WireCodec {
  const writerOf = createWriters('node')
  return {
    ...createJsonClientCodec(),
    encodeResponse: (id, method, response) =>
      writeEnvelope(id, method, `"params":${writerOf(methodEntry(method).response)(response, 'response')}`),
    encodeError: (id, method, error) => writeEnvelope(id, method, `"error":${errorText(error)}`),
    encodeNotification: ({ type, data }) => {
      const { name, data: shape } = notificationEntry(type)
      return `{"method":"${notificationOp(type)}","params":{"${name}":${writerOf(shape)(data, 'data')}}}`
    },
    decodeRequest: createRequestReader(createReaders('client')),
  }
}

const errorText = ({ message }: WireError): string => `{"code":0,"message":${JSON.stringify(message)},"data":null}`

/** Creates the request decoder. As strict as a node, which accepts text and binary messages alike. */
function createRequestReader(readerOf: ReaderOf): (frame: Frame) => DecodedRequest {
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
