import { methodEntry, notificationEntry, methodsByOp, unservedByOp } from '../../node/messages/lookup.js'
import type { WireCodec, DecodedRequest, Frame, RequestOf } from '../codec.js'
import {
  createBorshClientCodec,
  createBorshParts,
  writeError,
  writeNotification,
  writeResponse,
} from './client-codec.js'
import { createReaders, type ReaderOf } from './read.js'
import type { RpcMethod } from '../../node/messages/records.js'
import { MalformedFrame, attempt } from '../wire-errors.js'
import { Cursor, type HexText } from './cursor.js'

/** The Borsh codec of the wire protocol, with the half of a node. */
export function createBorshCodec(): WireCodec {
  const parts = createBorshParts()
  const { scalars, writerOf, hexText, frame } = parts
  return {
    ...createBorshClientCodec(parts),
    encodeResponse: (id, method, response) => {
      const entry = methodEntry(method)
      return frame((writer) =>
        writeResponse(writer, id, entry.op, (body) => writerOf(entry.response)(body, response, 'response')),
      )
    },
    encodeError: (id, method, error) => frame((writer) => writeError(writer, id, method, error)),
    encodeNotification: ({ type, data }) => {
      const entry = notificationEntry(type)
      return frame((writer) => writeNotification(writer, entry, (body) => writerOf(entry.data)(body, data, 'data')))
    },
    decodeRequest: createRequestReader(createReaders(scalars), hexText),
  }
}

/** Creates the request decoder. As strict as a node, which accepts text and binary messages alike. */
function createRequestReader(readerOf: ReaderOf, hexText: HexText): (frame: Frame) => DecodedRequest {
  const methods = methodsByOp()
  const unserved = unservedByOp()
  return (frame) => {
    const cursor = new Cursor(typeof frame === 'string' ? new TextEncoder().encode(frame) : frame, hexText)
    const head = attempt(() => ({ id: cursor.bool() ? cursor.u64() : undefined, op: cursor.u8() }))
    if ('malformed' in head) return { kind: 'fatal', reason: head.malformed.message }
    const { id, op } = head.value
    const method = methods.get(op)
    const name = method ?? unserved.get(op)
    if (name === undefined) return { kind: 'fatal', reason: `Unknown operation ${op}` }
    if (id === undefined) return { kind: 'ignored' }
    return method === undefined ? { kind: 'unserved', id, method: name } : readBody(cursor, id, method, readerOf)
  }
}

/** Nothing may follow the body. Surplus bytes inside it are fields of a newer client. */
function readBody(cursor: Cursor, id: bigint, method: RpcMethod, readerOf: ReaderOf): DecodedRequest {
  const body = attempt(() => {
    const frameEnd = cursor.enter()
    if (cursor.end !== frameEnd) throw new MalformedFrame(`${frameEnd - cursor.end} bytes follow the body`)
    return readerOf(methodEntry(method).request)(cursor)
  })
  if ('malformed' in body) return { kind: 'unreadable', id, method, reason: body.malformed.message }
  return { kind: 'request', id, method, request: body.value } as RequestOf<RpcMethod>
}
