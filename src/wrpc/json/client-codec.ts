import { methodEntry } from '../../node/messages/lookup.js'
import type { ClientCodec, Frame } from '../codec.js'
import { createMessageReader } from './decode-message.js'
import { writeEnvelope } from './envelope.js'
import { createReaders } from './read.js'
import { createScalarReaders } from './read-scalars.js'
import { createUtxoColumnsReader } from './read-utxo-columns.js'
import { createWriters } from './write.js'

/** The client's half of the JSON codec, which is all that apps contain. */
export function createJsonClientCodec(): ClientCodec<Frame> {
  const writerOf = createWriters('client')
  return {
    encoding: 'SerdeJson',
    encodeRequest: (id, method, request) =>
      writeEnvelope(id, method, `"params":${writerOf(methodEntry(method).request)(request, 'request')}`),
    decodeMessage: createMessageReader(createReaders('node'), createUtxoColumnsReader(createScalarReaders('node'))),
  }
}
