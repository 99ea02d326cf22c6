import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcEncoding } from '../../model/network.js'
import type { ClientCodec } from '../codec.js'
import { decodeError } from './error-facts.js'
import type { ToTab, ToWorker } from './messages.js'
import { toPlainRequest } from './plain-request.js'
import { decodeResponse } from './responses.js'

/** The codec of a virtual connection, whose frames are messages: the worker encodes for the node. */
export const createTabCodec = (connection: number, encoding: RpcEncoding): ClientCodec<ToWorker | ToTab> => ({
  encoding,
  encodeRequest: (id, method, request, format = 'record') => ({
    type: 'call',
    connection,
    id,
    method,
    format,
    request: toPlainRequest(request),
  }),
  decodeMessage: (message) => {
    switch (message.type) {
      case 'result':
        return decodeResponse(message)
      case 'notification':
        return { kind: 'notification', notification: message.notification }
      case 'error':
        return { kind: 'malformed', id: message.id, error: decodeError(message.error) }
      case 'malformed':
        return { kind: 'malformed', id: undefined, error: decodeError(message.error) }
      default:
        return { kind: 'malformed', id: undefined, error: unexpected(message.type) }
    }
  },
})

/** No message of this type is handed to the codec. */
const unexpected = (type: string): ChainRpcError => new ChainRpcError(type, undefined, { code: 'malformed' })
