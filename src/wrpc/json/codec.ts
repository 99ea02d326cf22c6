import { methodEntry, notificationEntry, notificationOp } from '../../node/messages/lookup.js'
import type { WireCodec } from '../codec.js'
import type { WireError } from '../wire-error.js'
import { createJsonClientCodec } from './client-codec.js'
import { createRequestReader } from './decode-request.js'
import { writeEnvelope } from './envelope.js'
import { createReaders } from './read.js'
import { createWriters } from './write.js'

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
