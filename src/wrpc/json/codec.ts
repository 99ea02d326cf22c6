import { methodEntry, notificationEntry, notificationOp } from '../../node/messages/lookup.js'
import type { WireCodec } from '../codec.js'
import type { WireError } from '../wire-error.js'
import { createMessageReader } from './decode-message.js'
import { createRequestReader } from './decode-request.js'
import { createReaders } from './read.js'
import { createScalarReaders } from './read-scalars.js'
import { createUtxoColumnsReader } from './read-utxo-columns.js'
import { createWriters } from './write.js'

/** The JSON codec of the wire protocol. */
export function createJsonCodec(): WireCodec {
  const requestWriter = createWriters('client')
  const responseWriter = createWriters('node')
  return {
    encoding: 'SerdeJson',
    encodeRequest: (id, method, request) =>
      envelope(id, method, `"params":${requestWriter(methodEntry(method).request)(request, 'request')}`),
    encodeResponse: (id, method, response) =>
      envelope(id, method, `"params":${responseWriter(methodEntry(method).response)(response, 'response')}`),
    encodeError: (id, method, error) => envelope(id, method, `"error":${errorText(error)}`),
    encodeNotification: ({ type, data }) => {
      const { name, data: shape } = notificationEntry(type)
      return `{"method":"${notificationOp(type)}","params":{"${name}":${responseWriter(shape)(data, 'data')}}}`
    },
    decodeRequest: createRequestReader(createReaders('client')),
    decodeMessage: createMessageReader(createReaders('node'), createUtxoColumnsReader(createScalarReaders('node'))),
  }
}

function envelope(id: bigint, method: string | undefined, content: string): string {
  const named = method === undefined ? '' : `"method":${JSON.stringify(method)},`
  return `{"id":${id},${named}${content}}`
}

const errorText = ({ message }: WireError): string => `{"code":0,"message":${JSON.stringify(message)},"data":null}`
