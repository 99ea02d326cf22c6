import { methodEntry, notificationEntry } from '../../node/messages/lookup.js'
import type { WireCodec } from '../codec.js'
import { createAddressCoder } from './address-coder.js'
import { createMessageReader } from './decode-message.js'
import { createRequestReader } from './decode-request.js'
import { createHexText } from './hex-text.js'
import { createReaders } from './read.js'
import { createChainReaders } from './read-chain-ids.js'
import { createScalarReaders } from './read-scalars.js'
import { createUtxoColumnsReader } from './read-utxo-columns.js'
import { withRanges } from '../ranges.js'
import { createWriters } from './write.js'
import { createFramer } from './frames.js'

/** The Borsh codec of the wire protocol. */
export function createBorshCodec(): WireCodec {
  const addresses = createAddressCoder()
  const scalars = createScalarReaders(addresses)
  const readerOf = createReaders(withRanges(scalars))
  const readColumns = createUtxoColumnsReader(scalars)
  const chain = createChainReaders(readerOf)
  const writerOf = createWriters(addresses)
  const hexText = createHexText()
  const framer = createFramer()
  return {
    encoding: 'Borsh',
    encodeRequest: (id, method, request) => {
      const entry = methodEntry(method)
      return framer.request(id, entry.op, (writer) => writerOf(entry.request)(writer, request, 'request'))
    },
    encodeResponse: (id, method, response) => {
      const entry = methodEntry(method)
      return framer.response(id, entry.op, (writer) => writerOf(entry.response)(writer, response, 'response'))
    },
    encodeError: (id, method, error) => framer.error(id, method, error),
    encodeNotification: ({ type, data }) => {
      const entry = notificationEntry(type)
      return framer.notification(entry, (writer) => writerOf(entry.data)(writer, data, 'data'))
    },
    decodeRequest: createRequestReader(createReaders(scalars), hexText),
    decodeMessage: createMessageReader({ readerOf, readColumns, chain }, hexText),
  }
}
