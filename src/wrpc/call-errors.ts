import { ChainError } from '../errors/chain-error.js'
import { droppedBy, ChainRpcError } from '../errors/rpc-error.js'
import type { ClosedReason } from '../node/port.js'
import type { WireError } from './wire-error.js'

/** The errors of a call. */

/** An error with the node's message; `unsupported` for a method that the node does not serve. */
export const remoteError = (method: string, { kind, message }: WireError): ChainRpcError =>
  new ChainRpcError(method, new ChainError(message), { code: kind === 'not-found' ? 'unsupported' : 'remote' })

export const callTimedOut = (method: string, url: string, timeout: number): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`${url} did not respond within ${timeout} ms`), {
    code: 'timeout',
    hint: UNKNOWN_OUTCOME,
  })

export const responseDropped = (method: string, url: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`${url} sent notifications, and no response: it is lost`), {
    code: 'timeout',
    hint: UNKNOWN_OUTCOME,
  })

export const connectionLost = (method: string, url: string, { code, reason, cause }: ClosedReason): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The connection to ${url} was lost: ${reason}`, { cause }), {
    code: 'connection-lost',
    hint: UNKNOWN_OUTCOME,
    ...droppedBy(code),
  })

/** The request cannot be encoded; nothing was sent. */
export const invalidRequest = (method: string, cause: ChainError): ChainRpcError =>
  new ChainRpcError(method, cause, { code: 'invalid-argument', argument: cause.argument, hint: cause.hint })

const UNKNOWN_OUTCOME = 'The node may have executed the request. Check its state before you call again.'
