import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { ClosedReason } from '../node/port.js'
import type { WireError } from './wire-error.js'

/** How a call can fail. */

/** The node's own words; a method that it does not serve is told apart. */
export const remoteError = (method: string, { kind, message }: WireError): ChainRpcError =>
  new ChainRpcError(method, new ChainError(message), { code: kind === 'not-found' ? 'unsupported' : 'remote' })

export const unanswered = (method: string, url: string, timeout: number): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`${url} gave no answer within ${timeout} ms`), {
    code: 'timeout',
    hint: UNKNOWN_OUTCOME,
  })

export const connectionLost = (method: string, url: string, { reason, cause }: ClosedReason): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The connection to ${url} was lost: ${reason}`, { cause }), {
    code: 'connection-lost',
    hint: UNKNOWN_OUTCOME,
  })

/** The request holds what has no place on the wire; nothing was sent. */
export const unwritable = (method: string, cause: ChainError): ChainRpcError =>
  new ChainRpcError(method, cause, { code: 'invalid-argument', argument: cause.argument, hint: cause.hint })

const UNKNOWN_OUTCOME = 'What the node made of the request is not known. Look before you ask again.'
