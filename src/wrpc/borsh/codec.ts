import { methodEntry, notificationEntry } from '../../node/messages/lookup.js'
import type { WireCodec } from '../codec.js'
import { createBorshClientCodec, createBorshParts } from './client-codec.js'
import { createRequestReader } from './decode-request.js'
import { writeError, writeNotification, writeResponse } from './frames.js'
import { createReaders } from './read.js'

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
