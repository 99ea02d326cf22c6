import { notifications } from '../../node/messages/notifications.js'
import { methodEntry } from '../../node/messages/lookup.js'
import type { WireCodec } from '../codec.js'
import { createMessageReader } from './decode-message.js'
import { createRequestReader } from './decode-request.js'
import { createHexText } from './hex-text.js'
import { createReaders } from './read.js'
import { createWriters } from './write.js'
import { errorFrame, notificationFrame, requestFrame, responseFrame } from './frames.js'

/** The wire protocol in Borsh, the node's binary encoding. */
export function createBorshCodec(): WireCodec {
  const readerOf = createReaders()
  const writerOf = createWriters()
  const hexText = createHexText()
  return {
    encoding: 'Borsh',
    encodeRequest: (id, method, request) => {
      const entry = methodEntry(method)
      return requestFrame(id, entry.op, (writer) => writerOf(entry.request)(writer, request, 'request'))
    },
    encodeResponse: (id, method, response) => {
      const entry = methodEntry(method)
      return responseFrame(id, entry.op, (writer) => writerOf(entry.response)(writer, response, 'response'))
    },
    encodeError: errorFrame,
    encodeNotification: ({ type, data }) =>
      notificationFrame(notifications[type], (writer) => writerOf(notifications[type].data)(writer, data, 'data')),
    decodeRequest: createRequestReader(readerOf, hexText),
    decodeMessage: createMessageReader(readerOf, hexText),
  }
}
